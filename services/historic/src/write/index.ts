export { writeHandlers } from './transport/write-handlers.ts';
export type { WriteDeps } from './usecases/write-deps.ts';
export { computedCost, linesCost, writeCost, writingQueue } from './usecases/writing-queue.ts';
