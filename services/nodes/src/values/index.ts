export { dropOldLetters } from './bus/old-letters.ts';
export { startReaders } from './bus/readers.ts';
export { readEdgesFrom } from './clients/read-edges.ts';
export type { StoredAlarm } from './domain/stored-alarm.ts';
export { saveCounters } from './store/pg-values.ts';
export type { ReadEdges } from './usecases/apply-batch.ts';
export { closeEndedWindows } from './usecases/close-windows.ts';
export { showAwaited } from './usecases/show-awaited.ts';
