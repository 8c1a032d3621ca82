import { REPORT_WAIT_MS } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import { report } from '../docs/reports.ts';
import { uncached } from './api-call.ts';
import type { RouteTable } from './define-routes.ts';

const MARGIN_MS = 30_000;

/** Reports as documents. */
export const reportRoutes = ({ render }: Peers, slowReadMs: number): RouteTable => ({
  '/nodes/:id/report': {
    GET: {
      schema: report,
      isSlowTooLarge: true,
      answer: async ({ id, query, arrivalMs, streamOptions, raw }) => {
        const firstMs = slowReadMs + REPORT_WAIT_MS;
        // Nothing is sent while it waits for its turn.
        raw.socket.setTimeout(firstMs + MARGIN_MS);
        const asked = { nodeRef: id, arguments: { ...query }, arrivalMs, ownerId: '' };
        return uncached(render.renderReport(asked, streamOptions(firstMs)), firstMs);
      },
    },
  },
});
