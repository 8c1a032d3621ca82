import type { Edges } from '@catchment/contracts/historic';
import { WriteMode } from '@catchment/contracts/ingest';
import type { ValueType } from '@catchment/contracts/nodes';
import { inParallel } from '@catchment/fair-queue';
import {
  type Column,
  type ColumnPart,
  type ColumnParts,
  decodeBatch,
  joinPart,
  type LogEntry,
  needsVerdict,
  rangeOf,
} from '@catchment/ingest-log';
import type { Logger } from '@catchment/telemetry';
import {
  type ExistingRecords,
  editOf,
  planWrite,
  type RecordStore,
  type StoredColumn,
  type SumAt,
} from '../../records/index.ts';
import { AppliedSummary } from '../domain/applied-summary.ts';
import { TouchedTimes } from '../domain/touched-times.ts';
import { BatchObserver, type PlacedEntry, UnfinishedQuestions } from './observe-writes.ts';
import type { WriteObservations, WriterState } from './ports.ts';

export type ApplyDeps = {
  /** Picks the entries of messages that this writer stores, where there are several writers. Absent: all. */
  readonly share?: WriterShare;
  readonly records: RecordStore;
  /** Write modes that depend on records that are there get their answers here (docs/reference/writing.md#write-modes). */
  readonly existing: ExistingRecords;
  /** Reads what was stored, for writes that say what they expect there. */
  readonly sumAt: SumAt;
  readonly observations: WriteObservations;
  readonly state: WriterState;
  /** Returns the newest records having a value, at most `count`, and the oldest one. */
  readonly edgesOf: (series: AppliedSeries, count: number, signal: AbortSignal) => Promise<Edges>;
  /**
   * Publishes what was applied, in order.
   * @param settledSequence all writers have published everything up to this one; undefined: there is no other writer
   */
  readonly publishApplied: (
    partition: number,
    applied: readonly AppliedMessage[],
    settledSequence: number | undefined,
  ) => Promise<void>;
  /** Publishes up to which sequence all writers have published everything. @param sequence the last one that this writer has published */
  readonly publishSettled: (partition: number, sequence: number, settledSequence: number) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
};

/** One of several writers applies this part of the log. */
export type WriterShare = {
  /**
   * The own entries of messages. Waits while it is not decided whose some are.
   * @throws DomainError unavailable when that takes too long
   */
  of<M extends DecodedMessage>(partition: number, messages: readonly M[], signal: AbortSignal): Promise<readonly M[]>;
  /** Returns whether there may be other writers. */
  isShared(): boolean;
  /** Notes that messages are stored and published. @returns up to which sequence all writers have finished the partition */
  done(partition: number, messages: readonly DecodedMessage[], signal: AbortSignal): Promise<number>;
};

export type DecodedMessage = LogMessage & { readonly entries: readonly PlacedEntry[] };

type AppliedSeries = { readonly nodeId: string; readonly valueType: ValueType };

/** The ingest log has this message; `firstSequence` differs for a dead letter that is tried again. */
export type LogMessage = {
  readonly sequence: number;
  readonly firstSequence?: number;
  readonly data: Uint8Array;
  /**
   * The message came to the log at this time, in Unix ms. Its records have this time of writing, so that times of writing ascend in the
   * order of storing. Absent: as the writes say.
   */
  readonly timeMs?: number;
};
export type AppliedMessage = { readonly sequence: number; readonly summary: AppliedSummary };

const EDGES_AT_ONCE = 8;
/** Some 2 000 series are asked for in this time on a busy machine; storing takes time before it, and a batch that has none left comes again. */
const EDGES_LIMIT_MS = 4_000;
/** Current value and its predecessor. */
const NEWEST = 2;

/**
 * Writes messages of the ingest log to the store, entry by entry in order, then publishes APPLIED
 * (docs/reference/guarantees.md#order-and-repetition). Their writes go to the store together, and so do their questions, as far as
 * nothing in between touches the same times. May see messages again, one by one or in other groups, but never a message without all
 * that follow it: lines overwrite themselves, deletes find nothing, writes that depend on existing records are decided by what was
 * seen the first time.
 */
export class BatchApplier {
  readonly #deps: ApplyDeps;
  /** These partitions may hold staged parts that are no longer needed. */
  readonly #toClean = new Set<number>();
  readonly #unfinished = new UnfinishedQuestions();
  /** All writers have published everything up to this sequence, by partition, as far as it was said here. */
  readonly #settled = new Map<number, number>();

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
  }

  /**
   * @param unfinishedFrom no message before this sequence comes again: what is kept for them goes
   * @returns the sequences of messages that were this writer's, at least in part
   */
  async apply(
    partition: number,
    messages: readonly LogMessage[],
    signal: AbortSignal,
    unfinishedFrom = messages[0]?.sequence ?? 0,
  ): Promise<ReadonlySet<number>> {
    const { records, share, state } = this.#deps;
    const whole = messages.map((message) => {
      const entries = [...decodeBatch(message.data).entries()];
      return { ...message, entries, begins: beginsOf(entries) };
    });
    const decoded = share ? await share.of(partition, whole, signal) : whole;
    if (decoded.length > 0 && this.#toClean.delete(partition)) await state.dropFinished(partition, unfinishedFrom);
    const nodeIds = nodeIdsOf(decoded.flatMap(({ entries }) => entries.map(([, entry]) => entry)));
    const deleted = nodeIds.length > 0 ? await state.deletedAmong(nodeIds) : new Set<string>();
    const shared = {
      partition,
      signal,
      deleted,
      types: new Map<string, ValueType>(),
      pending: new PendingColumns(records, signal),
      observer: new BatchObserver(
        { ...this.#deps, unfinished: this.#unfinished },
        { partition, messages: decoded, unfinishedFrom },
        signal,
      ),
    };
    const applied: AppliedMessage[] = [];
    for (const [at, { sequence, timeMs, entries, begins }] of decoded.entries()) {
      const summary = new AppliedSummary();
      await this.#applyEntries(entries, { ...shared, at, sequence, timeMs, begins, summary });
      applied.push({ sequence, summary });
    }
    await shared.pending.flush();
    signal.throwIfAborted();
    await this.#addEdges(applied, shared.types, signal);
    await this.#publish(partition, applied, decoded, signal);
    return new Set(decoded.flatMap(({ sequence, entries }) => (entries.length > 0 ? [sequence] : [])));
  }

  /**
   * A message counts as finished once a writer has published it: whoever hears that all writers have finished misses nothing of what was
   * stored. The last writer to finish says so at once: there may be no further message.
   */
  async #publish(
    partition: number,
    applied: readonly AppliedMessage[],
    messages: readonly DecodedMessage[],
    signal: AbortSignal,
  ): Promise<void> {
    const { share, publishApplied, publishSettled } = this.#deps;
    if (!share?.isShared()) return publishApplied(partition, applied, undefined);
    const before = this.#settled.get(partition) ?? 0;
    await publishApplied(partition, applied, before);
    const settled = await share.done(partition, messages, signal);
    if (settled <= before) return;
    await publishSettled(partition, applied.at(-1)?.sequence ?? 0, settled);
    this.#settled.set(partition, settled);
  }

  /** Edges are those after all of the messages. Readers ask for those that are left out, which only very many are. */
  async #addEdges(
    applied: readonly AppliedMessage[],
    types: ReadonlyMap<string, ValueType>,
    signal: AbortSignal,
  ): Promise<void> {
    const nodeIds = new Set(applied.flatMap(({ summary }) => summary.recomputed));
    if (nodeIds.size === 0) return;
    const series = [...nodeIds].flatMap((nodeId): AppliedSeries[] => {
      const valueType = types.get(nodeId);
      return valueType === undefined ? [] : [{ nodeId, valueType }];
    });
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(EDGES_LIMIT_MS)]);
    const found = await inParallel(series, { atOnce: EDGES_AT_ONCE, signal }, async (recomputed) =>
      inTime.aborted
        ? undefined
        : this.#deps.edgesOf(recomputed, NEWEST, inTime).catch((error: unknown) => {
            if (!inTime.aborted) throw error;
          }),
    );
    signal.throwIfAborted();
    const edges = new Map(found.flatMap((ofSeries) => (ofSeries ? [[ofSeries.nodeId, ofSeries] as const] : [])));
    const leftOut = series.length - edges.size;
    if (leftOut > 0) this.#deps.log.warn({ leftOut }, 'edges of series are left out of what was applied');
    for (const { summary } of applied) summary.setEdges(edges);
  }

  async #applyEntries(entries: readonly PlacedEntry[], run: Run): Promise<void> {
    const { records, state } = this.#deps;
    const { deleted, pending } = run;
    await run.observer.lookAhead(run.at, () => pending.flush());
    const take = async (column: Column | undefined, index: number) => {
      if (!column) return;
      if (!deleted.has(column.nodeId)) await this.#applyColumn(column, index, run);
      else if (needsVerdict(column)) run.summary.addSettled(column, index, []);
    };
    for (const [index, entry] of entries) {
      switch (entry.kind) {
        case 'column':
          await take(entry.column, index);
          break;
        case 'columnPart':
          await take(await this.#join(entry.part, run), index);
          break;
        case 'acquisition':
          run.summary.addAcquisition(entry.acquisition, run.begins.get(index));
          break;
        case 'seriesDelete':
          await pending.flush();
          await records.deleteSeries([entry.seriesDelete.nodeId], run.signal);
          if (!deleted.has(entry.seriesDelete.nodeId)) {
            run.types.set(entry.seriesDelete.nodeId, entry.seriesDelete.valueType);
            run.summary.addDelete(entry.seriesDelete);
          }
          break;
        case 'nodesDelete': {
          const { nodeIds } = entry.nodesDelete;
          await pending.flush();
          // Deletions are remembered first: whatever comes again later is dropped even if this process dies now.
          await state.rememberDeleted(nodeIds);
          await records.deleteSeries(nodeIds, run.signal);
          for (const nodeId of nodeIds) deleted.add(nodeId);
          run.summary.forget(nodeIds);
          break;
        }
      }
    }
  }

  async #applyColumn(column: Column, index: number, run: Run): Promise<void> {
    // Earlier writes to these times must be stored before the store is asked or cleared.
    if (column.writeMode !== WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING) await run.pending.flushBefore(column);
    const existing = await run.observer.existing(run.at, index, column);
    const plan = planWrite(column, existing);
    if (plan.kind === 'failed') {
      run.summary.addSettled(column, index, []);
      return run.summary.addFailure(column, index, plan.message);
    }
    if (column.isEdit) run.summary.addEdit(column, editOf(column, existing.presence));
    run.types.set(column.nodeId, column.valueType);
    if (plan.written) run.summary.addSettled(column, index, plan.written);
    if (plan.columns.length === 0 && !plan.recompute) run.summary.addNothing(index);
    run.summary.touched.column(column, plan);
    if (plan.clears) await this.#deps.existing.deleteRange(column.nodeId, plan.clears, run.signal);
    for (const written of plan.columns) {
      run.pending.add(run.timeMs === undefined ? written : { ...written, modifiedMs: run.timeMs });
      run.summary.addColumn(written);
    }
    if (plan.recompute) run.summary.addRecompute(column);
  }

  /** Returns the whole column with its last part; undefined before. */
  async #join(part: ColumnPart, { partition, sequence }: Run): Promise<Column | undefined> {
    const { state } = this.#deps;
    this.#toClean.add(partition);
    const stagePart: ColumnParts['stagePart'] = (part) => state.stagePart({ ...part, partition });
    const column = await joinPart(part, { stagePart, partsOf: (columnKey) => state.partsOf(columnKey) });
    if (column) await state.markCompleted(part.columnKey, sequence);
    return column;
  }
}

type Run = {
  readonly partition: number;
  /** Index in the batch. */
  readonly at: number;
  readonly sequence: number;
  readonly timeMs: number | undefined;
  readonly signal: AbortSignal;
  /** These series are deleted for good. */
  readonly deleted: Set<string>;
  readonly pending: PendingColumns;
  readonly begins: ReadonlyMap<number, number>;
  readonly summary: AppliedSummary;
  readonly types: Map<string, ValueType>;
  readonly observer: BatchObserver;
};

/**
 * Finds where the request of each acquisition begins, by their indexes. It begins behind the acquisition before, which another writer may
 * publish.
 */
function beginsOf(entries: readonly PlacedEntry[]): ReadonlyMap<number, number> {
  const begins = new Map<number, number>();
  let begin = 0;
  for (const [index, { kind }] of entries) {
    if (kind !== 'acquisition') continue;
    begins.set(index, begin);
    begin = index + 1;
  }
  return begins;
}

/** Writes the columns on their way to the store together. */
class PendingColumns {
  readonly #records: RecordStore;
  readonly #signal: AbortSignal;
  readonly #touched = new TouchedTimes();
  #columns: StoredColumn[] = [];

  constructor(records: RecordStore, signal: AbortSignal) {
    this.#records = records;
    this.#signal = signal;
  }

  add(column: StoredColumn): void {
    this.#columns.push(column);
    if (column.timestamps.length > 0) this.#touched.add({ nodeId: column.nodeId, ...rangeOf(column) });
  }

  async flush(): Promise<void> {
    if (this.#columns.length > 0) await this.#records.writeColumns(this.#columns, this.#signal);
    this.#columns = [];
    this.#touched.clear();
  }

  /** Stores what waits if some of it may be at the times of a column. */
  async flushBefore(column: Column): Promise<void> {
    if (column.timestamps.length === 0) return;
    if (this.#touched.meets({ nodeId: column.nodeId, ...rangeOf(column) })) await this.flush();
  }
}

function nodeIdsOf(entries: readonly LogEntry[]): string[] {
  const ids = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'column') ids.add(entry.column.nodeId);
    if (entry.kind === 'columnPart') ids.add(entry.part.column.nodeId);
    if (entry.kind === 'seriesDelete') ids.add(entry.seriesDelete.nodeId);
  }
  return [...ids];
}
