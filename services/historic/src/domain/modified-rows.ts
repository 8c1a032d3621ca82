import type { RecordSet } from './record-set.ts';

/** Records of a column and, by their index, when each was last written. */
export type ModifiedColumn = { readonly records: RecordSet; readonly modified: readonly number[] };

/**
 * The times of the rows that were written first, or with `isFromEnd` last, ascending: a row counts once over all columns
 * (docs/reference/reading.md#range-and-limit, docs/reference/reading.md#order-of-steps).
 */
export function chosenTimes(columns: readonly ModifiedColumn[], limit: number, isFromEnd: boolean): Float64Array {
  const cells = columns.flatMap(({ records, modified }) =>
    modified.map((modifiedMs, index) => ({ modifiedMs, timeMs: records.times[index] ?? 0 })),
  );
  cells.sort((a, b) => a.modifiedMs - b.modifiedMs || a.timeMs - b.timeMs);
  if (isFromEnd) cells.reverse();
  const chosen = new Set<number>();
  for (const { timeMs } of cells) {
    if (chosen.size === limit) break;
    chosen.add(timeMs);
  }
  return Float64Array.from(chosen).sort();
}
