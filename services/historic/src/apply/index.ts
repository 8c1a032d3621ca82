export { appliedPublisher, settledPublisher } from './bus/publish-applied.ts';
export { observeVisible } from './bus/visible-lag.ts';
export { NO_BACKUP } from './store/backup-holds.ts';
export { pgWriteObservations } from './store/pg-write-observations.ts';
export { pgWriterState } from './store/pg-writer-state.ts';
export { BatchApplier, type DecodedMessage, type WriterShare } from './usecases/apply-batch.ts';
export type { PlacedEntry } from './usecases/observe-writes.ts';
