import type { HistoricServiceService } from '@catchment/contracts/historic';
import type { Handlers } from '@catchment/grpc';
import { getProgress, type ProgressDeps } from '../usecases/get-progress.ts';
import { getWriteState, type WriteStateDeps } from '../usecases/get-write-state.ts';

export const progressHandlers = (
  progress: ProgressDeps,
  writeState: WriteStateDeps,
): Pick<Handlers<typeof HistoricServiceService>, 'getProgress' | 'getWriteState'> => ({
  getProgress: (request, call) => getProgress(progress, request, call),
  getWriteState: (request, call) => getWriteState(writeState, request, call),
});
