import type { Peers } from '../../usecases/ports.ts';
import { ACCEPTED, type ApiCall, CALL_MS, uncached } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import * as docs from './events-docs.ts';

export function eventRoutes({ events }: Peers): RouteTable {
  const read = async (call: ApiCall) => {
    const request = { nodeRef: call.id, arguments: { ...call.query }, arrivalMs: call.arrivalMs };
    return uncached(events.listEvents(request, call.streamOptions(CALL_MS)), CALL_MS);
  };
  return {
    '/events': { GET: { schema: docs.listEvents, answer: read } },
    '/nodes/:id/events': {
      GET: { schema: docs.listNodeEvents, answer: read },
      POST: {
        schema: docs.createEvents,
        body: 'json',
        keyed: 'again',
        answer: async ({ id, body, arrivalMs, options }) => {
          await events.createEvents({ nodeRef: id, body, arrivalMs }, options);
          return ACCEPTED;
        },
      },
      DELETE: {
        schema: docs.clearEvents,
        answer: async ({ id, options }) => {
          await events.clearEvents({ nodeRef: id }, options);
          return ACCEPTED;
        },
      },
    },
  };
}
