import type { SeriesView } from '../../columns/index.ts';
import type { RecordSet } from '../../records/index.ts';

export type TableColumn = { readonly records: RecordSet; readonly view: SeriesView };

/** An answer's columns are joined on exact times (docs/reference/reading.md#columns). */
export type ColumnTable = {
  readonly columns: readonly TableColumn[];
  /** Ascending, each once. */
  readonly times: Float64Array;
};

/** Times that are merged without a pause. */
const STEP_TIMES = 16_384;

/**
 * Makes the table of columns whose records are in order, in steps.
 * @param limit rows to keep: the first ones, or with `isFromEnd` the last
 */
export function* columnTable(
  columns: readonly TableColumn[],
  limit = Infinity,
  isFromEnd = false,
): Generator<void, ColumnTable> {
  const times = yield* unionOf(columns.map(({ records }) => records.times.subarray(0, records.count)));
  if (times.length <= limit) return { columns, times };
  return { columns, times: isFromEnd ? times.subarray(times.length - limit) : times.subarray(0, limit) };
}

/** Merges pair by pair, so that each time is looked at few times. */
function* unionOf(lists: readonly Float64Array[]): Generator<void, Float64Array> {
  let left = lists;
  while (left.length > 1) {
    const merged: Float64Array[] = [];
    for (let n = 0; n < left.length; n += 2) {
      const [times, others] = left.slice(n, n + 2);
      if (times) merged.push(others ? yield* unionOfTwo(times, others) : times);
    }
    left = merged;
  }
  return left[0] ?? new Float64Array(0);
}

function* unionOfTwo(first: Float64Array, second: Float64Array): Generator<void, Float64Array> {
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
  const all = new Float64Array(first.length + second.length);
  let count = 0;
  for (let [a, b] = [0, 0]; a < first.length || b < second.length; count += 1) {
    const time = Math.min(first[a] ?? Number.POSITIVE_INFINITY, second[b] ?? Number.POSITIVE_INFINITY);
    all[count] = time;
    while (first[a] === time) a += 1;
    while (second[b] === time) b += 1;
    if (count % STEP_TIMES === 0) yield;
  }
  return all.subarray(0, count);
}

/** Yields for each row its time and the record of each column, -1 for none. Both are overwritten by the next row. */
export function* rowsOf({ columns, times }: ColumnTable): Generator<{ timeMs: number; indexes: Int32Array }> {
  const next = new Int32Array(columns.length);
  const row = { timeMs: 0, indexes: new Int32Array(columns.length) };
  for (const timeMs of times) {
    row.timeMs = timeMs;
    for (let n = 0; n < columns.length; n += 1) {
      const records = columns[n]?.records;
      if (!records) continue;
      let index = next[n] ?? 0;
      // These rows are left out by a limit.
      while (index < records.count && (records.times[index] ?? 0) < timeMs) index += 1;
      const isHere = index < records.count && records.times[index] === timeMs;
      row.indexes[n] = isHere ? index : -1;
      next[n] = isHere ? index + 1 : index;
    }
    yield row;
  }
}
