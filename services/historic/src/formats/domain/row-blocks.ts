import type { ColumnTable } from './column-table.ts';

/** Neighbouring rows of a table. */
export type RowBlock = {
  /** Unix ms. */
  readonly times: Float64Array;
  /** Each column has the index of each row's record, -1 = the row has none. */
  readonly indexes: readonly Int32Array[];
};

type BlockLimits = { readonly maxRows: number; readonly maxCells: number; readonly maxBytes: number };

/** A block has at least this many rows, whatever texts they have: a text has 10 000 characters at most. */
const MIN_ROWS = 16;

/** Yields a table in blocks that are about so large; records are as long as they are on the average. */
export function* rowBlocks(table: ColumnTable, fields: number, limits: BlockLimits): Generator<RowBlock> {
  const { columns, times } = table;
  const bytes = columns.reduce((sum, { records }) => sum + records.textBytes, 0) / Math.max(1, times.length);
  const rows = Math.min(limits.maxRows, limits.maxCells / fields, limits.maxBytes / Math.max(1, bytes));
  const most = Math.max(MIN_ROWS, Math.floor(rows));
  const next = new Int32Array(columns.length);
  for (let from = 0; from < times.length; from += most) {
    const some = times.subarray(from, from + most);
    const indexes = columns.map(({ records }, n) => {
      const found = new Int32Array(some.length);
      let at = next[n] ?? 0;
      for (let row = 0; row < some.length; row += 1) {
        const timeMs = some[row] ?? 0;
        // These rows are left out by a limit.
        while (at < records.count && (records.times[at] ?? 0) < timeMs) at += 1;
        const isHere = at < records.count && records.times[at] === timeMs;
        found[row] = isHere ? at : -1;
        if (isHere) at += 1;
      }
      next[n] = at;
      return found;
    });
    yield { times: some, indexes };
  }
}
