import { acquireNow } from '../../usecases/acquire-now.ts';
import type { Peers } from '../../usecases/ports.ts';
import { ACCEPTED, changed, document } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import * as docs from './processing-docs.ts';

export function processingRoutes(peers: Pick<Peers, 'devices' | 'processing'>): RouteTable {
  const { processing } = peers;
  return {
    '/nodes/:id/process/test': {
      POST: {
        schema: docs.testProgram,
        body: 'json',
        answer: async ({ id, body, options }) =>
          changed((await processing.testProgram({ nodeRef: id, body }, options)).json),
      },
    },
    '/nodes/:id/computation': {
      GET: {
        schema: docs.getComputation,
        answer: async ({ id, options }) => document((await processing.getComputation({ nodeRef: id }, options)).json),
      },
    },
    '/nodes/:id/operate/acquire': {
      POST: {
        schema: docs.acquire,
        answer: async ({ id, options }) => {
          await acquireNow(peers, id, options);
          return ACCEPTED;
        },
      },
    },
  };
}
