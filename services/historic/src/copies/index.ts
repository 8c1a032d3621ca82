export { hasRecords, type Retry } from './store/influx-chunks.ts';
export { leaveOthers, ofAccount } from './store/one-account.ts';
export { copiedSeries } from './store/pg-copied-series.ts';
export { routedChunks } from './store/routed-chunks.ts';
export { decodeFrames, encodeFrames } from './transport/copy-frames.ts';
export { again, readRecords, writeRecords } from './usecases/copy-records.ts';
