import { type BatchApplied, WriteMode } from '@catchment/contracts/ingest';
import { DomainError } from '@catchment/errors';
import {
  type Column,
  type ColumnPart,
  decodeBatch,
  encodeEntries,
  joinColumns,
  type LogEntry,
} from '@catchment/ingest-log';
import { AppliedSummary } from '../domain/applied-summary.ts';
import { planWrite, type StoredColumn } from '../domain/plan-write.ts';
import { type Touch, TouchedSeries } from '../domain/touched-series.ts';
import type { ExistingRecords } from '../store/influx-presence.ts';
import type { WriteObservations } from '../store/pg-write-observations.ts';
import type { WriterState } from '../store/pg-writer-state.ts';
import { UnfinishedQuestions, WriteObserver } from './observe-writes.ts';

/** Where records end up. Doing the same again changes nothing. */
export type RecordStore = {
  writeColumns(columns: readonly StoredColumn[], signal: AbortSignal): Promise<void>;
  deleteSeries(nodeIds: readonly string[], signal: AbortSignal): Promise<void>;
};

export type ApplyDeps = {
  readonly records: RecordStore;
  /** For write modes that depend on records that are there (semantics 8.2). */
  readonly existing: ExistingRecords;
  readonly observations: WriteObservations;
  readonly state: WriterState;
  /** Publishes what was applied; leaves the records out where the message would be too large. */
  readonly publishApplied: (summary: AppliedSummary, partition: number, sequence: number) => Promise<BatchApplied>;
  /** Notes what ratings have to compute anew, once it can be read. */
  readonly follow: (touched: ReadonlyMap<string, readonly Touch[]>) => Promise<void>;
};

/**
 * Takes one message of the ingest log to the store, entry by entry in order, then tells (design, item 3). May see a
 * message again: lines overwrite themselves, deletes find nothing, what depends on existing records is decided by what was
 * seen the first time, the announcement has the same id.
 */
export class BatchApplier {
  readonly #deps: ApplyDeps;
  /** Partitions that may hold staged parts nobody needs any more. */
  readonly #toClean = new Set<number>();
  readonly #unfinished = new UnfinishedQuestions();

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
  }

  async apply(partition: number, sequence: number, data: Uint8Array, signal: AbortSignal): Promise<void> {
    const { state, publishApplied, follow } = this.#deps;
    const entries = decodeBatch(data);
    if (this.#toClean.delete(partition)) await state.dropFinished(partition, sequence);
    const [summary, touched] = [new AppliedSummary(), new TouchedSeries()];
    const observer = new WriteObserver(
      { ...this.#deps, unfinished: this.#unfinished },
      { partition, sequence, data },
      signal,
    );
    await this.#applyEntries(entries, { partition, sequence, signal, summary, touched, observer });
    signal.throwIfAborted();
    await Promise.all([follow(touched.bySeries), publishApplied(summary, partition, sequence)]);
  }

  async #applyEntries(entries: readonly LogEntry[], run: Run): Promise<void> {
    const { records, state } = this.#deps;
    const deleted = await state.deletedAmong(nodeIdsOf(entries));
    await run.observer.prefetch(entries);
    const pending = new PendingColumns(records, run.signal);
    const take = async (column: Column | undefined, index: number) => {
      if (column && !deleted.has(column.nodeId)) await this.#applyColumn(column, index, pending, run);
    };
    for (const [index, entry] of entries.entries()) {
      switch (entry.kind) {
        case 'column':
          await take(entry.column, index);
          break;
        case 'columnPart':
          await take(await this.#join(entry.part, run), index);
          break;
        case 'acquisition':
          run.summary.addAcquisition(entry.acquisition);
          break;
        case 'seriesDelete':
          await pending.flush();
          await records.deleteSeries([entry.seriesDelete.nodeId], run.signal);
          if (!deleted.has(entry.seriesDelete.nodeId)) {
            run.summary.addDelete(entry.seriesDelete);
            run.touched.deleted(entry.seriesDelete.nodeId, entry.seriesDelete.recomputing);
          }
          break;
        case 'nodesDelete': {
          const { nodeIds } = entry.nodesDelete;
          await pending.flush();
          // Remembered first: whatever comes again later is dropped even if this process dies now.
          await state.rememberDeleted(nodeIds);
          await records.deleteSeries(nodeIds, run.signal);
          for (const nodeId of nodeIds) deleted.add(nodeId);
          run.summary.forget(nodeIds);
          break;
        }
      }
    }
    await pending.flush();
  }

  async #applyColumn(column: Column, index: number, pending: PendingColumns, run: Run): Promise<void> {
    const { existing } = this.#deps;
    // What the message has written to this series before must be there when the store is asked or cleared.
    if (column.writeMode !== WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING) await pending.flushIf(column.nodeId);
    const plan = planWrite(column, await run.observer.existing(index, column));
    if (plan.kind === 'failed') return run.summary.addFailure(column, plan.message);
    run.touched.column(column, plan);
    if (plan.clears) await existing.deleteRange(column.nodeId, plan.clears, run.signal);
    for (const one of plan.columns) {
      pending.add(one);
      run.summary.addColumn(one);
    }
    if (plan.recompute) run.summary.addRecompute(column);
  }

  /** The whole column with its last part; undefined before. */
  async #join(
    { column, columnKey, part, parts }: ColumnPart,
    { partition, sequence }: Run,
  ): Promise<Column | undefined> {
    const { state } = this.#deps;
    this.#toClean.add(partition);
    if (part < parts - 1) {
      const [data] = encodeEntries([{ kind: 'column', column }], Number.MAX_SAFE_INTEGER, () => columnKey);
      if (data) await state.stagePart({ columnKey, part, partition, data });
      return undefined;
    }
    const staged = (await state.partsOf(columnKey)).flatMap((one) => decodeBatch(one));
    const earlier = staged.flatMap((entry) => (entry.kind === 'column' ? [entry.column] : []));
    if (earlier.length !== parts - 1)
      throw new DomainError('failed_precondition', 'COLUMN_PARTS_MISSING', `column ${columnKey}: parts are missing`);
    await state.markCompleted(columnKey, sequence);
    const [first = column, ...others] = [...earlier, column];
    return joinColumns([first, ...others]);
  }
}

type Run = {
  readonly partition: number;
  readonly sequence: number;
  readonly signal: AbortSignal;
  readonly summary: AppliedSummary;
  readonly touched: TouchedSeries;
  readonly observer: WriteObserver;
};

/** Columns on their way to the store, written together. */
class PendingColumns {
  readonly #records: RecordStore;
  readonly #signal: AbortSignal;
  #columns: StoredColumn[] = [];

  constructor(records: RecordStore, signal: AbortSignal) {
    this.#records = records;
    this.#signal = signal;
  }

  add(column: StoredColumn): void {
    this.#columns.push(column);
  }

  async flush(): Promise<void> {
    if (this.#columns.length > 0) await this.#records.writeColumns(this.#columns, this.#signal);
    this.#columns = [];
  }

  async flushIf(nodeId: string): Promise<void> {
    if (this.#columns.some((column) => column.nodeId === nodeId)) await this.flush();
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
