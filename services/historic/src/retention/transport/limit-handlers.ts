import { apiCaller } from '@catchment/access';
import type { HistoricServiceService } from '@catchment/contracts/historic';
import type { Handlers } from '@catchment/grpc';
import { getRecordLimits, type RecordLimitDeps } from '../usecases/get-record-limits.ts';

export const limitHandlers = (
  deps: RecordLimitDeps,
): Pick<Handlers<typeof HistoricServiceService>, 'getRecordLimits'> => ({
  getRecordLimits: async (_request, { caller }) => getRecordLimits(deps, apiCaller(caller).ownerId),
});
