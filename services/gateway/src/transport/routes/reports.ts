import type { Peers } from '../../usecases/ports.ts';
import { report } from '../docs/reports.ts';
import { uncached } from './api-call.ts';
import type { RouteTable } from './define-routes.ts';

/** Reports as documents. */
export const reportRoutes = ({ render }: Peers, slowReadMs: number): RouteTable => ({
  '/nodes/:id/report': {
    GET: {
      schema: report,
      isSlowTooLarge: true,
      answer: async ({ id, query, arrivalMs, streamOptions }) => {
        const asked = { nodeRef: id, arguments: { ...query }, arrivalMs, ownerId: '' };
        return uncached(render.renderReport(asked, streamOptions(slowReadMs)), slowReadMs);
      },
    },
  },
});
