import type { RecordSet } from './record-set.ts';
import type { SeriesView } from './series-view.ts';

export type TableColumn = { readonly records: RecordSet; readonly view: SeriesView };

/** The rows of an answer: its columns joined on exact times (docs/reference/reading.md#columns). */
export type ColumnTable = {
  readonly columns: readonly TableColumn[];
  /** Ascending, each once. */
  readonly times: Float64Array;
};

/**
 * The table of columns whose records are in order.
 * @param limit rows to keep: the first ones, or with `isFromEnd` the last
 */
export function columnTable(columns: readonly TableColumn[], limit = Infinity, isFromEnd = false): ColumnTable {
  const times = unionOf(columns.map(({ records }) => records.times.subarray(0, records.count)));
  if (times.length <= limit) return { columns, times };
  return { columns, times: isFromEnd ? times.subarray(times.length - limit) : times.subarray(0, limit) };
}

function unionOf(lists: readonly Float64Array[]): Float64Array {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const list of lists) {
    all.set(list, length);
    length += list.length;
  }
  all.sort();
  let count = 0;
  for (const time of all) {
    if (count > 0 && all[count - 1] === time) continue;
    all[count] = time;
    count += 1;
  }
  return all.subarray(0, count);
}

/** Per row its time and the record of each column, -1 for none. Both are overwritten by the next row. */
export function* rowsOf({ columns, times }: ColumnTable): Generator<{ timeMs: number; indexes: Int32Array }> {
  const next = new Int32Array(columns.length);
  const row = { timeMs: 0, indexes: new Int32Array(columns.length) };
  for (const timeMs of times) {
    row.timeMs = timeMs;
    for (let n = 0; n < columns.length; n += 1) {
      const records = columns[n]?.records;
      if (!records) continue;
      let index = next[n] ?? 0;
      // Rows that a limit has cut off.
      while (index < records.count && (records.times[index] ?? 0) < timeMs) index += 1;
      const isHere = index < records.count && records.times[index] === timeMs;
      row.indexes[n] = isHere ? index : -1;
      next[n] = isHere ? index + 1 : index;
    }
    yield row;
  }
}
