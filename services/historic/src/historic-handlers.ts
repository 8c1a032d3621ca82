import type { HistoricServiceService } from '@catchment/contracts/historic';
import type { Handlers } from '@catchment/grpc';
import { type ProgressDeps, progressHandlers, type WriteStateDeps } from './progress/index.ts';
import { type ReadDeps, readHandlers } from './read/index.ts';
import type { EarlierRecords } from './records/index.ts';
import { limitHandlers, type RecordLimitDeps } from './retention/index.ts';
import { type WriteDeps, writeHandlers } from './write/index.ts';

type HistoricDeps = RecordLimitDeps & {
  readonly write: WriteDeps;
  readonly read: ReadDeps;
  readonly earlier: EarlierRecords;
  readonly progress: ProgressDeps;
  readonly writeState: WriteStateDeps;
};

/** Each room has its calls of HistoricService. */
export const historicHandlers = ({
  write,
  read,
  earlier,
  progress,
  writeState,
  kept,
  rowLimitOf,
}: HistoricDeps): Handlers<typeof HistoricServiceService> => ({
  ...writeHandlers(write),
  ...readHandlers({ ...read, earlier, endOfLog: writeState.endOfLog }),
  ...progressHandlers(progress, writeState),
  ...limitHandlers({ kept, rowLimitOf }),
});
