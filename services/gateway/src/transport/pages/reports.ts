import { REPORT_PREVIEW, REPORT_WAIT_MS, readArguments } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import { type ApiCall, accepted, changed, uncached } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import * as docs from './reports-docs.ts';

const MARGIN_MS = 30_000;

/** Reports as documents, and their runs. */
export const reportRoutes = ({ render, reports }: Peers, slowReadMs: number): RouteTable => {
  const rendered = ({ id, query, arrivalMs, streamOptions, raw }: ApiCall, draft?: Buffer) => {
    const firstMs = slowReadMs + REPORT_WAIT_MS;
    // The connection is silent while the report waits for its turn.
    raw.socket.setTimeout(firstMs + MARGIN_MS);
    const asked = { nodeRef: id, arguments: { ...query }, arrivalMs, ownerId: '', ...(draft && { draft }) };
    return uncached(render.renderReport(asked, streamOptions(firstMs)), firstMs);
  };
  return {
    '/nodes/:id/report': {
      GET: { schema: docs.report, isSlowTooLarge: true, answer: async (call) => rendered(call) },
    },
    '/nodes/:id/report/preview': {
      POST: {
        schema: docs.previewReport,
        body: 'json',
        keyed: 'again',
        isSlowTooLarge: true,
        answer: async (call) => {
          readArguments(REPORT_PREVIEW, call.query);
          return rendered(call, call.body);
        },
      },
    },
    '/nodes/:id/report/runs': {
      GET: {
        schema: docs.listRuns,
        answer: async ({ id, options }) => changed((await reports.listReportRuns({ nodeRef: id }, options)).json),
      },
      POST: {
        schema: docs.runReport,
        keyed: 'once',
        answer: async ({ id, options }) => {
          const { json } = await reports.runReport({ nodeRef: id }, options);
          return accepted(JSON.parse(json.toString()));
        },
      },
    },
    '/nodes/:id/report/schedule/preview': {
      POST: {
        schema: docs.previewSchedule,
        body: 'json',
        keyed: 'again',
        answer: async ({ id, body, options }) =>
          changed((await reports.previewSchedule({ nodeRef: id, draft: body }, options)).json),
      },
    },
  };
};
