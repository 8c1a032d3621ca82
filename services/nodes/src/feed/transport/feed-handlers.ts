import { apiCaller, serviceCaller } from '@catchment/access';
import type { NodeFeedServiceService } from '@catchment/contracts/node-feed';
import type { Handlers } from '@catchment/grpc';
import type { ListDeps } from '../../views/index.ts';
import { FeedHeads, readFeed, revisionsOf } from '../usecases/read-feed.ts';

/** NodeFeedService serves streams of changes in parts. */
export function nodeFeedHandlers(deps: ListDeps): Handlers<typeof NodeFeedServiceService> {
  const heads = new FeedHeads();
  return {
    readFeed: async (request, { caller }) => {
      const { messages, cursor, hasMore } = await readFeed({ ...deps, heads }, apiCaller(caller), request);
      const last = messages.length - 1;
      return {
        messages: messages.map(({ event, nodeId, json }, n) => ({
          event,
          data: Buffer.from(json),
          cursor: n === last ? cursor : '',
          subject: nodeId,
          isGone: event === 'removed',
        })),
        cursor,
        hasMore,
      };
    },
    getRevisions: async ({ ownerIds }, { caller }) => {
      serviceCaller(caller, 'gateway');
      return { revisions: await revisionsOf(deps, ownerIds) };
    },
  };
}
