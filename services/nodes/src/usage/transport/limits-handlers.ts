import type { LimitsServiceService } from '@catchment/contracts/limits';
import { type Handlers, scopeOf, serviceCaller } from '@catchment/grpc';
import { readOwner, type StoreDeps } from '../../changes/index.ts';

/** LimitsService: limits that an account has of its own. */
export const limitsHandlers = (deps: Pick<StoreDeps, 'database'>): Handlers<typeof LimitsServiceService> => ({
  getLimits: async ({ ownerId }, { caller }) => {
    serviceCaller(caller);
    const { row_limit } = await readOwner(deps.database, scopeOf(caller, ownerId).ownerId);
    return { ...(row_limit !== null && { rowsPerSourcePerDay: row_limit }) };
  },
});
