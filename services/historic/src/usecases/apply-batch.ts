import type { BatchApplied } from '@catchment/contracts/ingest';
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
import type { WriterState } from '../store/pg-writer-state.ts';

/** Where records end up. Doing the same again changes nothing. */
export type RecordStore = {
  writeColumns(columns: readonly Column[], signal: AbortSignal): Promise<void>;
  deleteSeries(nodeIds: readonly string[], signal: AbortSignal): Promise<void>;
};

export type ApplyDeps = {
  readonly records: RecordStore;
  readonly state: WriterState;
  /** Publishes what was applied; leaves the records out where the message would be too large. */
  readonly publishApplied: (summary: AppliedSummary, partition: number, sequence: number) => Promise<BatchApplied>;
};

/**
 * Takes one message of the ingest log to the store, entry by entry in order, then tells (design, item 3). May see a
 * message again: lines overwrite themselves, deletes find nothing, the announcement has the same id.
 */
export class BatchApplier {
  readonly #deps: ApplyDeps;
  /** Partitions that may hold staged parts nobody needs any more. */
  readonly #toClean = new Set<number>();

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
  }

  async apply(partition: number, sequence: number, data: Uint8Array, signal: AbortSignal): Promise<void> {
    const { state, publishApplied } = this.#deps;
    const entries = decodeBatch(data);
    if (this.#toClean.delete(partition)) await state.dropFinished(partition, sequence);
    const summary = new AppliedSummary();
    await this.#applyEntries(entries, { partition, sequence, signal, summary });
    signal.throwIfAborted();
    await publishApplied(summary, partition, sequence);
  }

  async #applyEntries(entries: readonly LogEntry[], run: Run): Promise<void> {
    const { records, state } = this.#deps;
    const deleted = await state.deletedAmong(nodeIdsOf(entries));
    let columns: Column[] = [];
    const flush = async () => {
      if (columns.length > 0) await records.writeColumns(columns, run.signal);
      columns = [];
    };
    const take = (column: Column | undefined) => {
      if (!column || deleted.has(column.nodeId)) return;
      columns.push(column);
      run.summary.addColumn(column);
    };
    for (const entry of entries) {
      switch (entry.kind) {
        case 'column':
          take(entry.column);
          break;
        case 'columnPart':
          take(await this.#join(entry.part, run));
          break;
        case 'acquisition':
          run.summary.addAcquisition(entry.acquisition);
          break;
        case 'seriesDelete':
          await flush();
          await records.deleteSeries([entry.seriesDelete.nodeId], run.signal);
          if (!deleted.has(entry.seriesDelete.nodeId)) run.summary.addDelete(entry.seriesDelete);
          break;
        case 'nodesDelete': {
          const { nodeIds } = entry.nodesDelete;
          await flush();
          // Remembered first: whatever comes again later is dropped even if this process dies now.
          await state.rememberDeleted(nodeIds);
          await records.deleteSeries(nodeIds, run.signal);
          for (const nodeId of nodeIds) deleted.add(nodeId);
          run.summary.forget(nodeIds);
          break;
        }
      }
    }
    await flush();
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
};

function nodeIdsOf(entries: readonly LogEntry[]): string[] {
  const ids = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'column') ids.add(entry.column.nodeId);
    if (entry.kind === 'columnPart') ids.add(entry.part.column.nodeId);
    if (entry.kind === 'seriesDelete') ids.add(entry.seriesDelete.nodeId);
  }
  return [...ids];
}
