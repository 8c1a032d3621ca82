import type { NodeConfig, ValueType } from '@catchment/contracts/nodes';
import type { QualityTable } from '@catchment/quality';
import type { BucketRun } from '../domain/aggregate/bucket-runs.ts';
import type { Bucket } from '../domain/aggregate/interval-folder.ts';
import type { StoreCall } from '../domain/aggregate/store-plan.ts';
import type { StoredColumn, TimeRange } from '../domain/plan-write.ts';
import type { PresenceProgress } from '../domain/presence-progress.ts';
import type { FetchPlan } from '../domain/read-range.ts';
import type { StoredRecord } from '../domain/record-set.ts';

/** A series as the store knows it. */
export type SeriesKey = { readonly nodeId: string; readonly valueType: ValueType };

/** Sees live records one by one; false = enough. */
export type Visit = (record: StoredRecord) => boolean;

export type RecordReader = {
  /**
   * Live records of a time range in the plan's order; the plan's limit is the visitor's business, and so is not to ask when
   * they were modified, which is told by `scanModified` only.
   */
  scan(series: SeriesKey, plan: FetchPlan, signal: AbortSignal, visit: Visit): Promise<void>;
  /** Live records last written within this time, Unix ms inclusive, ascending by their own time. */
  scanModified(series: SeriesKey, fromMs: number, toMs: number, signal: AbortSignal, visit: Visit): Promise<void>;
};

export type RecordSummaries = {
  /**
   * Buckets with any record of number series, live or not: series by series in any order, each ascending. The bucket that
   * is shown is overwritten by the next one.
   */
  summarize(
    nodeIds: readonly string[],
    calls: readonly StoreCall[],
    run: BucketRun,
    signal: AbortSignal,
    visit: (nodeId: string, bucket: Bucket) => void,
  ): Promise<void>;
};

/** Where records end up. Doing the same again changes nothing. */
export type RecordStore = {
  writeColumns(columns: readonly StoredColumn[], signal: AbortSignal): Promise<void>;
  deleteSeries(nodeIds: readonly string[], signal: AbortSignal): Promise<void>;
};

/** What writes that depend on existing records ask of the store; only the presence field is read. */
export type ExistingRecords = {
  /**
   * Live parts (value 1, quality 2, annotation 4) at each of these ascending timestamps, 0 = no record.
   * @param progress what an attempt that was broken off has found; kept up to date
   */
  presenceAt(
    nodeId: string,
    timestamps: Float64Array,
    signal: AbortSignal,
    progress?: PresenceProgress,
  ): Promise<Uint8Array>;
  hasAny(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<boolean>;
  /** Times of the records in a range, ascending; undefined where the range has more than `MAX_TIMES` rows. */
  timesIn(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<Float64Array | undefined>;
  deleteRange(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<void>;
};

/** One message of the ingest log; the digest tells it from another one of the same sequence in a stream made anew. */
export type MessageKey = { readonly partition: number; readonly sequence: number; readonly digest: Uint8Array };

/** What was in the store before a message, by the index of its entries (docs/reference/writing.md#write-modes; migrations/0002). */
export type WriteObservations = {
  of(message: MessageKey): Promise<Map<number, Uint8Array>>;
  /**
   * Keeps what was seen, unless somebody was earlier, and drops what older messages of the partition saw.
   * @returns what is kept now of these entries
   */
  keep(message: MessageKey, seen: ReadonlyMap<number, Uint8Array>): Promise<Map<number, Uint8Array>>;
};

/** What the writer must remember beyond one message. */
export type WriterState = {
  /** Which of these series are deleted for good. */
  deletedAmong(nodeIds: readonly string[]): Promise<Set<string>>;
  rememberDeleted(nodeIds: readonly string[]): Promise<void>;
  stagePart(part: { columnKey: string; part: number; partition: number; data: Uint8Array }): Promise<void>;
  /** The staged parts of a column, in order. */
  partsOf(columnKey: string): Promise<Buffer[]>;
  markCompleted(columnKey: string, sequence: number): Promise<void>;
  /** Drops parts that a message before `sequence` completed, and those whose last part never came. */
  dropFinished(partition: number, sequence: number): Promise<void>;
};

export type CatalogueStore = {
  byId(nodeId: string): Promise<NodeConfig | 'deleted' | undefined>;
  byCustomId(ownerId: string, customId: string): Promise<NodeConfig | undefined>;
  /** Everything whose records go to the partition of this source, the source apart. */
  childrenOf(sourceId: string, limit: number): Promise<NodeConfig[]>;
  /** Keeps the newer revision of each; a deleted node stays deleted. */
  save(nodes: readonly NodeConfig[]): Promise<void>;
  markDeleted(ownerId: string, nodes: readonly { nodeId: string; sourceId: string }[]): Promise<void>;
};

export type SourceDay = { readonly sourceId: string /** Days since 1970-01-01. */; readonly day: number };

export type RowCounts = { readonly acquired: number; readonly stored: number };

export type DayCounts = SourceDay & RowCounts;

export type QualityOf = (ownerId: string) => Promise<QualityTable>;

/** Rows that sources have brought, by day, of all replicas. */
export type DailyRows = {
  /** What is counted so far; days without rows are left out. */
  load(days: readonly SourceDay[]): Promise<DayCounts[]>;
  /** Adds rows, which may be fewer than none. @returns the sums of all replicas */
  add(counts: readonly DayCounts[]): Promise<DayCounts[]>;
  /** Removes days that were not touched for long, when they are far below any limit or their source is deleted. */
  purge(belowRows: number): Promise<void>;
  /** Runs `work` while no other replica counts rows of these sources. */
  locked<T>(sourceIds: readonly string[], work: () => Promise<T>): Promise<T>;
};
