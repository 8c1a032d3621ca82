import type { Edges, HistoricRecord } from '@catchment/contracts/historic';
import type {
  Acquisition,
  BatchApplied,
  ColumnFailure,
  ColumnSettled,
  SeriesApplied,
  SeriesDelete,
  SeriesEdited,
} from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { bitsOf, type Column, FLAG, flagsAt } from '@catchment/ingest-log';
import type { Edit } from '../../records/index.ts';
import { TouchedSeries } from './touched-series.ts';

const NEWEST = 2;

/** Gathers what one message of the log did to the store (proto BatchApplied). */
export class AppliedSummary {
  readonly touched = new TouchedSeries();
  readonly #series = new Map<string, SeriesApplied>();
  readonly #acquisitions: Acquisition[] = [];
  readonly #deletes: SeriesDelete[] = [];
  readonly #failures: ColumnFailure[] = [];
  readonly #settled: ColumnSettled[] = [];
  readonly #edits: SeriesEdited[] = [];
  /** These columns, by index in the message, have no written record, and their acquisition has not come yet. */
  #unwritten: number[] = [];

  addColumn(column: Column): void {
    if (column.timestamps.length === 0) return;
    const known = this.#series.get(column.nodeId);
    const summary = summarise(column);
    // A summary has no order of writes and deletes within one message: the store decides.
    const afterDelete = this.#deletes.some(({ nodeId }) => nodeId === column.nodeId);
    const merged = known ? merge(known, summary) : summary;
    this.#series.set(column.nodeId, { ...merged, recompute: merged.recompute || afterDelete });
  }

  /** Records were removed, or changed in part: only the store knows what is current now. */
  addRecompute({ nodeId, ownerId, workspaceId, modifiedMs }: Column): void {
    const removed: SeriesApplied = { nodeId, ownerId, workspaceId, modifiedMs, ...NO_RECORDS, touches: [] };
    const known = this.#series.get(nodeId);
    this.#series.set(nodeId, known ? merge(known, removed) : removed);
  }

  /**
   * Adds a column whose write mode depends on records that were there.
   * @param entry index in the message
   * @param written indexes of the records that were inserted, changed or deleted
   */
  addSettled({ nodeId, ownerId, timestamps }: Column, entry: number, written: readonly number[]): void {
    const bits = bitsOf(written, written.length > 0 ? timestamps.length : 0);
    this.#settled.push({ nodeId, ownerId, entry, written: Buffer.from(bits) });
  }

  /** Counts a column of which nothing was written (docs/reference/writing.md#write-modes). @param entry index in the message */
  addFailure(
    { nodeId, ownerId, workspaceId, modifiedMs: timeMs, username }: Column,
    entry: number,
    message: string,
  ): void {
    this.#failures.push({ nodeId, ownerId, workspaceId, timeMs, username, message });
    this.#unwritten.push(entry);
  }

  /** Reports a column by which a person or program edits history; an edit that changes nothing is left out. */
  addEdit({ nodeId, ownerId, workspaceId, sourceId, modifiedMs: timeMs, username }: Column, edit: Edit): void {
    const { inserted, modified, deleted } = edit;
    if (inserted.records + modified.records + deleted === 0) return;
    this.#edits.push({ nodeId, ownerId, workspaceId, sourceId, timeMs, username, inserted, modified, deleted });
  }

  /** All that the column brings is there already (MERGE_PRESERVE_EXISTING). @param entry index in the message */
  addNothing(entry: number): void {
    this.#unwritten.push(entry);
  }

  /**
   * The effect of a request follows its columns: columns without a written record do not count.
   * @param begin index in the message where the request begins: those in front of it are of another one, whose
   *   acquisition another writer reports
   */
  addAcquisition(acquisition: Acquisition, begin = 0): void {
    const unwritten = this.#unwritten.filter((entry) => entry >= begin).length;
    const parameters = Math.max(0, acquisition.parameters - unwritten);
    const isNothing = unwritten > 0 && parameters === 0;
    this.#unwritten = [];
    if (!isNothing) this.#acquisitions.push({ ...acquisition, parameters });
    else if (acquisition.isSource) this.#acquisitions.push({ ...acquisition, parameters, rows: 0 });
  }

  addDelete(seriesDelete: SeriesDelete): void {
    const known = this.#series.get(seriesDelete.nodeId);
    if (known) this.#series.set(seriesDelete.nodeId, { ...known, ...NO_RECORDS });
    this.#deletes.push(seriesDelete);
  }

  /** Nodes that are gone have no values to keep current. */
  forget(nodeIds: readonly string[]): void {
    for (const nodeId of nodeIds) this.#series.delete(nodeId);
  }

  /** Returns series whose current values only the store knows. */
  get recomputed(): string[] {
    return [...this.#series.values()].flatMap(({ nodeId, recompute }) => (recompute ? [nodeId] : []));
  }

  /** Takes the store's edges of series that are recomputed. */
  setEdges(edges: ReadonlyMap<string, Edges>): void {
    for (const nodeId of this.recomputed) {
      const [known, found] = [this.#series.get(nodeId), edges.get(nodeId)];
      if (known && found) this.#series.set(nodeId, { ...known, edges: found });
    }
  }

  toMessage(partition: number, logSequence: number): BatchApplied {
    const series = [...this.#series.values()].map((summary) => ({
      ...summary,
      touches: this.touched.messagesOf(summary.nodeId),
    }));
    return {
      partition,
      logSequence,
      series,
      acquisitions: this.#acquisitions,
      seriesDeletes: this.#deletes,
      columnFailures: this.#failures,
      columnsSettled: this.#settled,
      seriesEdited: this.#edits,
      shardNumber: 0,
      settledSequence: undefined,
      namesTouches: true,
    };
  }
}

/** The summary lacks the records of a series: only the store knows them. */
export const NO_RECORDS = {
  newest: [],
  oldest: undefined,
  recompute: true,
  edges: undefined,
} as const satisfies Partial<SeriesApplied>;

function summarise(column: Column): SeriesApplied {
  const { nodeId, ownerId, workspaceId, modifiedMs } = column;
  const last = column.timestamps.length - 1;
  const newest: HistoricRecord[] = [];
  for (let i = last; i >= 0 && newest.length < NEWEST; i -= 1)
    if (hasValue(column, i)) newest.push(recordAt(column, i));
  let oldest: HistoricRecord | undefined;
  for (let i = 0; i <= last && !oldest; i += 1) if (hasValue(column, i)) oldest = recordAt(column, i);
  const recompute = hasRecordWithoutValue(column);
  return { nodeId, ownerId, workspaceId, modifiedMs, newest, oldest, recompute, edges: undefined, touches: [] };
}

const hasValue = (column: Column, index: number): boolean => (flagsAt(column, index) & FLAG.value) !== 0;

/** Such a record may have taken the value away from one that was there. */
const hasRecordWithoutValue = (column: Column): boolean => column.flags.some((flags) => (flags & FLAG.value) === 0);

function merge(earlier: SeriesApplied, later: SeriesApplied): SeriesApplied {
  const newest = new Map([...earlier.newest, ...later.newest].map((record) => [record.timestampMs, record]));
  const oldest = [later.oldest, earlier.oldest]
    .filter((record) => record !== undefined)
    .reduce<HistoricRecord | undefined>(
      (min, record) => (min && min.timestampMs <= record.timestampMs ? min : record),
      undefined,
    );
  return {
    ...later,
    newest: [...newest.values()].sort((a, b) => b.timestampMs - a.timestampMs).slice(0, NEWEST),
    oldest,
    recompute: earlier.recompute || later.recompute,
  };
}

function recordAt(column: Column, index: number): HistoricRecord {
  const quality = flagsAt(column, index) & FLAG.quality ? column.qualities[index] : undefined;
  return {
    timestampMs: column.timestamps[index] ?? 0,
    value: valueAt(column, index),
    ...(quality !== undefined && { quality }),
  };
}

function valueAt({ valueType, numbers, texts }: Column, index: number): HistoricRecord['value'] {
  switch (valueType) {
    case ValueType.VALUE_TYPE_TEXT:
      return { $case: 'text', value: texts[index] ?? '' };
    case ValueType.VALUE_TYPE_TIME:
      return { $case: 'timeMs', value: numbers[index] ?? 0 };
    case ValueType.VALUE_TYPE_COORDINATES:
      return {
        $case: 'coordinates',
        value: { latitude: numbers[index * 2] ?? 0, longitude: numbers[index * 2 + 1] ?? 0 },
      };
    default:
      return { $case: 'number', value: numbers[index] ?? 0 };
  }
}
