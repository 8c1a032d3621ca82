export type { BuiltColumn } from './domain/built-column.ts';
export { DEFAULT_SHARD } from './domain/default-shard.ts';
export { type Edit, editOf, isEditMode } from './domain/edit.ts';
export { checkExpected, sumOf } from './domain/expected-records.ts';
export { contentTimes, flagsOf, isAllContent, pickRecords, rowCount, withoutContentAt } from './domain/pick-records.ts';
export {
  AS_EXPECTED,
  type Existing,
  mustRemember,
  planWrite,
  questionOf,
  type StoredColumn,
  UNASKED,
  type WritePlan,
} from './domain/plan-write.ts';
export { type PresenceProgress, presenceProgress } from './domain/presence-progress.ts';
export { type FetchPlan, type GivenRange, planRange } from './domain/read-range.ts';
export { emptyRecord, RecordSet, type StoredRecord } from './domain/record-set.ts';
export { fieldsOf, visitRows } from './store/influx-pages.ts';
export { InfluxPresence } from './store/influx-presence.ts';
export { InfluxRecords } from './store/influx-records.ts';
export { spansModified } from './store/influx-runs.ts';
export { runLine } from './store/line-protocol.ts';
export { boundsOf, edgesBefore, edgesOf } from './usecases/edges.ts';
export type { EarlierRecords, ExistingRecords, RecordReader, RecordStore, SumAt, Visit } from './usecases/ports.ts';
export { storedAt, sumAtOf } from './usecases/stored-at.ts';
export { withinTime } from './usecases/within-time.ts';
