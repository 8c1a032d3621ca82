import type { EnsureParametersRequest, NodeConfig, ValueType } from '@catchment/contracts/nodes';
import type { TimeRange } from '@catchment/ingest-log';
import type { Requester } from '@catchment/node-replica';
import type { QualityTable } from '@catchment/quality';
import type { BucketRun } from '../domain/aggregate/bucket-runs.ts';
import type { Bucket } from '../domain/aggregate/interval-folder.ts';
import type { StoreCall } from '../domain/aggregate/store-plan.ts';
import type { ColumnRun } from '../domain/m4/bucket-runs.ts';
import type { StoredColumn } from '../domain/plan-write.ts';
import type { PresenceProgress } from '../domain/presence-progress.ts';
import type { FetchPlan } from '../domain/read-range.ts';
import type { StoredRecord } from '../domain/record-set.ts';
import type { SourceIndex } from '../domain/source-index.ts';

/** A series as the store knows it. */
export type SeriesKey = { readonly nodeId: string; readonly valueType: ValueType };

/** Sees live records one by one; false = enough. */
export type Visit = (record: StoredRecord) => boolean;

export type RecordReader = {
  /**
   * Live records of a time range in the plan's order; the plan's limit is the visitor's business, and so is not to ask when
   * they were modified, which only `scanModified` gives.
   */
  scan(series: SeriesKey, plan: FetchPlan, signal: AbortSignal, visit: Visit): Promise<void>;
  /** Live records last written within this time, Unix ms inclusive, ascending by their own time. @param within of these only */
  scanModified(
    series: SeriesKey,
    fromMs: number,
    toMs: number,
    signal: AbortSignal,
    visit: Visit,
    within?: TimeRange,
  ): Promise<void>;
};

export type EarlierRecords = {
  /** Live records last written before a time, Unix ms, newest first by their own time. */
  scanWrittenBefore(series: SeriesKey, beforeMs: number, signal: AbortSignal, visit: Visit): Promise<void>;
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

export type VisitNumber = (timeMs: number, number: number) => void;

/** Single records that stand out in a number series, of those that are a number and nothing else. */
export type RecordOutlines = {
  /**
   * Finds a lowest and a highest record of each bucket, in any order. `other`: a time in each bucket where there is
   * anything else, live or deleted, which only its records can show.
   */
  extremes(
    nodeId: string,
    run: ColumnRun,
    signal: AbortSignal,
    see: { readonly low: VisitNumber; readonly high: VisitNumber; readonly other: (timeMs: number) => void },
  ): Promise<void>;
  /**
   * All of a range, oldest first: costs half of a scan, which looks for more than numbers in each record.
   * @returns false, without any, where there may be anything else
   */
  numbers(nodeId: string, range: TimeRange, signal: AbortSignal, visit: VisitNumber): Promise<boolean>;
  /**
   * Milliseconds that `edges` takes for each range, measured at some. They may be many: for each statement, InfluxDB
   * copies all that a shard has of a series and has not yet put into files.
   */
  edgesCost(nodeId: string, some: readonly TimeRange[], signal: AbortSignal): Promise<number>;
  /** The first and the last one of each range. */
  edges(nodeId: string, ranges: readonly TimeRange[], signal: AbortSignal, visit: VisitNumber): Promise<void>;
};

/** Where records end up. Doing the same again changes nothing. */
export type RecordStore = {
  writeColumns(columns: readonly StoredColumn[], signal: AbortSignal): Promise<void>;
  deleteSeries(nodeIds: readonly string[], signal: AbortSignal): Promise<void>;
};

/** Questions of writes that depend on existing records; only the presence field is read. */
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

/** What a series holds at these ascending times, as one sum (`sumOf`). */
export type SumAt = (series: SeriesKey, timestamps: Float64Array, signal: AbortSignal) => Promise<Uint8Array>;

/** One message of the ingest log; the digest distinguishes it from another one of the same sequence in a recreated stream. */
export type MessageKey = { readonly partition: number; readonly sequence: number; readonly digest: Uint8Array };

/** Stored records before a message, by the index of its entries (docs/reference/writing.md#write-modes; migrations/0002). */
export type WriteObservations = {
  of(message: MessageKey): Promise<Map<number, Uint8Array>>;
  /**
   * Keeps the findings, unless another replica was earlier, and drops those of older messages of the partition.
   * @returns the findings that are kept for these entries
   */
  keep(message: MessageKey, seen: ReadonlyMap<number, Uint8Array>): Promise<Map<number, Uint8Array>>;
};

/** State of the writer beyond one message. */
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

export type SourceDay = { readonly sourceId: string /** Days since 1970-01-01. */; readonly day: number };

type RowCounts = { readonly acquired: number; readonly stored: number };

export type DayCounts = SourceDay & RowCounts;

export type QualityOf = (ownerId: string) => Promise<QualityTable>;

export type SourceAcquisition = { readonly sourceId: string; readonly acquisitionId: string };

/** Rows that sources have brought, by day, of all replicas. */
export type DailyRows = {
  /** Counts so far; days without rows are left out. */
  load(days: readonly SourceDay[]): Promise<DayCounts[]>;
  /** Adds rows, which may be fewer than none. @returns the sums of all replicas */
  add(counts: readonly DayCounts[]): Promise<DayCounts[]>;
  /** Removes days that were not touched for long, when they are far below any limit or their source is deleted. */
  purge(belowRows: number): Promise<void>;
  /** Notes that an acquisition began exempt from the limit of what arrives; forgotten after 8 days. */
  exempt(acquisition: SourceAcquisition): Promise<void>;
  isExempt(acquisition: SourceAcquisition): Promise<boolean>;
  /** Runs `work` while no other replica counts rows of these sources. */
  locked<T>(sourceIds: readonly string[], work: () => Promise<T>): Promise<T>;
};

/** The nodes as historic knows them, and the parameters of data sources by the names that documents may use. */
export type Catalogue = {
  /** @throws DomainError not_found: unknown or of another account; permission_denied: outside the caller's workspaces */
  resolve(nodeRef: string, requester: Requester): Promise<NodeConfig>;
  /** Nodes in the order of their references. @throws DomainError as `resolve`; not_found repeats the reference */
  resolveAll(nodeRefs: readonly string[], requester: Requester): Promise<NodeConfig[]>;
  /** A node of the account that this service already knows; it makes no call. */
  findKnown(nodeRef: string, ownerId: string): Promise<NodeConfig | undefined>;
  /** Nodes of the account in the service's own name; those that are gone are left out. @throws DomainError unavailable */
  nodesOf(nodeIds: readonly string[], ownerId: string, deadlineMs: number): Promise<NodeConfig[]>;
  /** Checks that the caller may see nodes which the request does not name itself. @throws DomainError not_found */
  checkVisible(nodeIds: readonly string[], requester: Requester): Promise<void>;
  /** The parameters below a node that the requester may see, at most `limit`. @throws DomainError not_found, permission_denied */
  parametersBelow(nodeId: string, requester: Requester, limit: number): Promise<NodeConfig[]>;
  /** The parameters of a data source; one that is missing here is found or made by `ensure`. */
  parametersOf(source: NodeConfig): Promise<SourceIndex>;
  /** The parameters of a data source, read from the nodes service: the copy may lack a new one. */
  refreshParameters(source: NodeConfig, requester: Requester): Promise<SourceIndex>;
  /** Finds, adopts or creates parameters, in the order of the request (docs/reference/writing.md#data-source-writes, rules 2-6). */
  ensure(
    source: NodeConfig,
    columns: EnsureParametersRequest['columns'],
    requester: Requester,
    deadlineMs: number,
  ): Promise<NodeConfig[]>;
};
