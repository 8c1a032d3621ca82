export { olderAmong } from './store/influx-older.ts';
export { pgRecordRetention } from './store/pg-record-retention.ts';
export { limitHandlers } from './transport/limit-handlers.ts';
export { expireRecords } from './usecases/expire-records.ts';
export type { RecordLimitDeps } from './usecases/get-record-limits.ts';
