import { scopeOf, serviceCaller } from '@catchment/access';
import type { RatingsServiceService } from '@catchment/contracts/ratings';
import type { Handlers } from '@catchment/grpc';
import type { NodeDeps } from '../usecases/deps.ts';
import { getRating } from '../usecases/get-rating.ts';

/** RatingsService: ratings as the historic service evaluates them. */
export const ratingsHandlers = (deps: Pick<NodeDeps, 'database'>): Handlers<typeof RatingsServiceService> => ({
  getRating: ({ ownerId, nodeId }, { caller }) => {
    serviceCaller(caller);
    return getRating(deps, scopeOf(caller, ownerId), nodeId);
  },
});
