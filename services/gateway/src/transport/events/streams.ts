import { argumentReader, STREAM } from '@catchment/query';
import type { Push } from '../../usecases/push/open-push.ts';
import type { PushHub } from '../../usecases/push/push-hub.ts';
import type { PushAnswer } from '../response/send-push.ts';
import type { ApiCall } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import * as docs from './streams-docs.ts';

/** Serves streams of server-sent events; the services parse filter and attr. */
export function streamRoutes({ events, nodes, slots }: Push): RouteTable {
  const follow =
    (hub: PushHub) =>
    async ({ query, raw }: ApiCall): Promise<PushAnswer> => {
      const read = argumentReader(STREAM, query);
      const [attr, filter] = [read('attr'), read('filter')];
      // A browser that connects again sends the header, with the address of before.
      const header = raw.headers['last-event-id'];
      const cursor = typeof header === 'string' && header !== '' ? header : read('lastEventId');
      return { hub, slots, arguments: { attr, filter }, cursor };
    };
  return {
    '/events/stream': { GET: { schema: docs.followEvents, answer: follow(events) } },
    '/nodes/stream': { GET: { schema: docs.followNodes, answer: follow(nodes) } },
  };
}
