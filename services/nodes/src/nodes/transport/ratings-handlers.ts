import type { RatingsServiceService } from '@catchment/contracts/ratings';
import { notFound } from '@catchment/errors';
import { type Handlers, scopeOf, serviceCaller } from '@catchment/grpc';
import { findNode } from '../store/pg-nodes.ts';
import type { NodeDeps } from '../usecases/deps.ts';
import { ratingMessage } from '../usecases/rating-message.ts';

/** RatingsService: ratings as the historic service evaluates them. */
export const ratingsHandlers = (deps: Pick<NodeDeps, 'database'>): Handlers<typeof RatingsServiceService> => ({
  getRating: async ({ ownerId, nodeId }, { caller }) => {
    serviceCaller(caller);
    const { config } = await findNode(deps.database, scopeOf(caller, ownerId), nodeId);
    const rating = ratingMessage(config);
    if (!rating) throw notFound();
    return rating;
  },
});
