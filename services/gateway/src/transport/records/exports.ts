import type { Peers } from '../../usecases/ports.ts';
import { accepted, CALL_MS, document, SUCCESS, uncached } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import * as docs from './exports-docs.ts';

/** Exports of records (docs/reference/writing.md#exports). */
export function exportRoutes({ exports }: Pick<Peers, 'exports'>): RouteTable {
  return {
    '/exports': {
      GET: {
        schema: docs.listExports,
        answer: async ({ options }) => document((await exports.listExports({}, options)).json),
      },
      POST: {
        schema: docs.createExport,
        body: 'json',
        answer: async ({ body, arrivalMs, options }) => {
          const { json } = await exports.createExport({ body, arrivalMs }, options);
          return accepted({ export: JSON.parse(json.toString()) });
        },
      },
    },
    '/exports/:id': {
      GET: {
        schema: docs.getExport,
        answer: async ({ id, options }) => document((await exports.getExport({ exportId: id }, options)).json),
      },
      DELETE: {
        schema: docs.deleteExport,
        answer: async ({ id, options }) => {
          await exports.deleteExport({ exportId: id }, options);
          return SUCCESS;
        },
      },
    },
    '/exports/:id/file': {
      GET: {
        schema: docs.getExportFile,
        answer: async (call) => ({
          ...uncached(exports.readExport({ exportId: call.id }, call.streamOptions(CALL_MS)), CALL_MS),
          fileName: `export-${call.id}.zip`,
        }),
      },
    },
  };
}
