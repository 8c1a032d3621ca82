export { progressHandlers } from './transport/progress-handlers.ts';
export type { ProgressDeps } from './usecases/get-progress.ts';
export { Waiting, type WriteStateDeps } from './usecases/get-write-state.ts';
export { type SeriesPlace, settledUntil } from './usecases/settled-until.ts';
