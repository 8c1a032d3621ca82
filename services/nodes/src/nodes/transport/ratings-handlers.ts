import { scopeOf } from '@catchment/access';
import type { RatingsServiceService } from '@catchment/contracts/ratings';
import type { Handlers } from '@catchment/grpc';
import { forServices } from '../../transport/answers.ts';
import type { NodeDeps } from '../usecases/deps.ts';
import { getRating } from '../usecases/get-rating.ts';

/** RatingsService answers ratings as the historic service evaluates them. */
export const ratingsHandlers = (deps: Pick<NodeDeps, 'database'>): Handlers<typeof RatingsServiceService> =>
  forServices<Handlers<typeof RatingsServiceService>>({
    getRating: ({ ownerId, nodeId }, { caller }) => getRating(deps, scopeOf(caller, ownerId), nodeId),
  });
