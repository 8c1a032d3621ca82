import { invalid } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import type { Peers } from '../../usecases/ports.ts';
import * as docs from '../docs/devices.ts';
import { intArgument, textArgument } from '../request/arguments.ts';
import { receiveFile } from '../request/receive-upload.ts';
import { accepted, CALL_MS, changed, created, document, list, uploadOptions } from './api-call.ts';
import type { RouteTable } from './define-routes.ts';
import { LIST_MAX, SKIP_MAX } from './nodes.ts';
import { storedUpload, type UploadStore } from './stored-upload.ts';

export function deviceRoutes({ devices }: Pick<Peers, 'devices'>, signer: CallerSigner): RouteTable {
  return {
    '/devices': {
      GET: {
        schema: docs.listDevices,
        answer: async (call) => {
          const request = {
            attr: textArgument(call.query, 'attr'),
            filter: textArgument(call.query, 'filter'),
            sort: textArgument(call.query, 'sort'),
            skip: intArgument(call.query, 'skip', { min: 0, max: SKIP_MAX }) ?? 0,
            limit: intArgument(call.query, 'limit', { min: 0, max: LIST_MAX }),
          };
          return list(call, devices.listDevices(request, call.streamOptions(CALL_MS)));
        },
      },
      POST: {
        schema: docs.createDevice,
        body: 'json',
        answer: async ({ body, options }) => created((await devices.createDevice({ body }, options)).json),
      },
    },
    '/nodes/:id/files': {
      POST: {
        schema: docs.receiveFile,
        body: 'file',
        answer: async (call) => {
          const begun = { nodeRef: call.id, fileName: textArgument(call.query, 'name') };
          const options = uploadOptions(call, signer);
          const store: UploadStore<unknown> = {
            begin: (of) => devices.beginFile(begun, of),
            write: (segment, of) => devices.writeFileSegment(segment, of),
            abandon: (file, of) => devices.abandonFile(file, of),
          };
          return storedUpload(store, options, async ({ fileId }, target) => {
            const size = await receiveFile(call.raw, target);
            if (size === 0) throw invalid('BODY_MISSING', 'body: must be sent');
            const { report } = await devices.finishFile({ fileId, size }, await options.step());
            if (!report) return accepted({ file: { state: 'PROCESSING' } });
            return accepted({ file: { state: 'PROCESSED', ...report, firstFailure: report.firstFailure || null } });
          });
        },
      },
    },
    '/devices/:id': {
      GET: {
        schema: docs.getDevice,
        answer: async ({ id, query, options }) =>
          document((await devices.getDevice({ deviceId: id, attr: textArgument(query, 'attr') }, options)).json),
      },
      PUT: {
        schema: docs.updateDevice,
        body: 'json',
        answer: async ({ id, body, options }) =>
          changed((await devices.updateDevice({ deviceId: id, body }, options)).json),
      },
    },
  };
}
