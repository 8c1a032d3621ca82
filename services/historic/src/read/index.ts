export { readHandlers } from './transport/read-handlers.ts';
export { nextPiece } from './usecases/answer-bytes.ts';
export { collectTable } from './usecases/collect-table.ts';
export { type ReadCall, type ReadDeps, requesterOf } from './usecases/read-deps.ts';
export { readingQueues } from './usecases/reading-queues.ts';
export { withShownQuality } from './usecases/shown-quality.ts';
