import { scopeOf } from '@catchment/access';
import type { LimitsServiceService } from '@catchment/contracts/limits';
import type { Handlers } from '@catchment/grpc';
import type { StoreDeps } from '../../changes/index.ts';
import { forServices } from '../../transport/answers.ts';
import { getLimits, listOwnDays } from '../usecases/get-limits.ts';

/** LimitsService: an account's own limits. */
export const limitsHandlers = (deps: Pick<StoreDeps, 'database'>): Handlers<typeof LimitsServiceService> =>
  forServices<Handlers<typeof LimitsServiceService>>({
    getLimits: ({ ownerId }, { caller }) => getLimits(deps, scopeOf(caller, ownerId).ownerId),
    listOwnDays: async () => ({ accounts: await listOwnDays(deps) }),
  });
