import { apiCaller, serviceCaller } from '@catchment/access';
import type { EventFeedServiceService } from '@catchment/contracts/event-feed';
import type { Handlers } from '@catchment/grpc';
import type { EventTail } from '../usecases/event-tail.ts';
import type { EventsDeps } from '../usecases/ports.ts';
import { readFeed } from '../usecases/read-feed.ts';

type Deps = EventsDeps & { readonly tail: EventTail };

export const eventFeedHandlers = (deps: Deps): Handlers<typeof EventFeedServiceService> => ({
  readFeed: async (request, { caller, token, deadlineMs, signal }) => {
    const call = { caller: apiCaller(caller), token, deadlineMs, signal, nodeRef: '' };
    const { events, cursor, hasMore } = await readFeed(deps, call, request);
    const messages = events.map(({ text, position }) => ({
      event: '',
      data: Buffer.from(text),
      cursor: String(position),
      subject: '',
      isGone: false,
    }));
    return { messages, cursor, hasMore };
  },
  async *watchAccounts(_request, { caller, signal }) {
    serviceCaller(caller, 'gateway');
    for await (const ownerIds of deps.tail.watch(signal)) yield { ownerIds: [...ownerIds] };
  },
});
