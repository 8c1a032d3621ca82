import type { TimeRange } from '@catchment/ingest-log';
import type { SeriesKey } from '../../series/index.ts';
import type { StoredColumn } from '../domain/plan-write.ts';
import type { PresenceProgress } from '../domain/presence-progress.ts';
import type { FetchPlan } from '../domain/read-range.ts';
import type { StoredRecord } from '../domain/record-set.ts';

/** Sees live records one by one; false = enough. */
export type Visit = (record: StoredRecord) => boolean;

export type RecordReader = {
  /**
   * Visits live records of a time range in the plan's order; the plan's limit is the visitor's business, and so is not to ask when
   * they were modified, which only `scanModified` gives.
   */
  scan(series: SeriesKey, plan: FetchPlan, signal: AbortSignal, visit: Visit): Promise<void>;
  /**
   * Visits live records last written within this time, Unix ms inclusive, ascending by the time of the record.
   * @param within the records of these times only
   */
  scanModified(
    series: SeriesKey,
    modified: TimeRange,
    signal: AbortSignal,
    visit: Visit,
    within?: TimeRange,
  ): Promise<void>;
};

export type EarlierRecords = {
  /** Visits live records last written before a time, Unix ms, newest first by the time of the record. */
  scanWrittenBefore(series: SeriesKey, beforeMs: number, signal: AbortSignal, visit: Visit): Promise<void>;
};

/** Records end up here; doing the same again changes nothing. */
export type RecordStore = {
  writeColumns(columns: readonly StoredColumn[], signal: AbortSignal): Promise<void>;
  deleteSeries(nodeIds: readonly string[], signal: AbortSignal): Promise<void>;
};

/** Questions of writes that depend on existing records; only the presence field is read. */
export type ExistingRecords = {
  /**
   * Returns the live parts (value 1, quality 2, annotation 4) at each of these ascending timestamps, 0 = no record.
   * @param progress what an attempt that was broken off has found; kept up to date
   */
  presenceAt(
    nodeId: string,
    timestamps: Float64Array,
    signal: AbortSignal,
    progress?: PresenceProgress,
  ): Promise<Uint8Array>;
  hasAny(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<boolean>;
  /** Returns times of the records in a range, ascending; undefined where the range has more than `MAX_TIMES` rows. */
  timesIn(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<Float64Array | undefined>;
  deleteRange(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<void>;
};

/** Reads what a series holds at these ascending times, as one sum (`sumOf`). */
export type SumAt = (series: SeriesKey, timestamps: Float64Array, signal: AbortSignal) => Promise<Uint8Array>;
