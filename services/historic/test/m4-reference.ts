import type { StoredRecord } from '../src/records/domain/record-set.ts';

type PlainRange = { readonly startMs: number; readonly endMs: number; readonly columns: number };

/** Said plainly: `floor((t - start) * columns / (end - start))`, exactly, the end in the last column. */
export function plainColumn({ startMs, endMs, columns }: PlainRange, timeMs: number): number {
  if (startMs === endMs) return 0;
  const exact = (BigInt(timeMs - startMs) * BigInt(columns)) / BigInt(endMs - startMs);
  return Math.min(Number(exact), columns - 1);
}

/**
 * Keeps the first, last, lowest and highest record with a value of each column, and the newest without a value between
 * any two of them: arrays in, arrays out.
 * @param records ascending; none that is excluded
 */
export function plainM4<R extends Partial<StoredRecord>>(
  records: readonly R[],
  range: PlainRange,
  numberOf: (record: R) => number,
): R[] {
  const inside = records.filter(({ timeMs = 0 }) => timeMs >= range.startMs && timeMs <= range.endMs);
  const valued = inside.filter((record) => !Number.isNaN(numberOf(record)));
  const kept = new Set<R>();
  for (const own of Map.groupBy(valued, ({ timeMs = 0 }) => plainColumn(range, timeMs)).values()) {
    const values = own.map(numberOf);
    const extremes = [Math.min(...values), Math.max(...values)].map((value) => own[values.indexOf(value)]);
    for (const record of [own[0], own.at(-1), ...extremes]) if (record) kept.add(record);
  }
  const gaps = inside.filter((record) => Number.isNaN(numberOf(record)));
  const shown = inside.filter((record) => kept.has(record));
  const between = (after: R | undefined, before: R | undefined) =>
    gaps.findLast(
      ({ timeMs = 0 }) =>
        timeMs > (after?.timeMs ?? Number.NEGATIVE_INFINITY) && timeMs < (before?.timeMs ?? Number.POSITIVE_INFINITY),
    );
  return [undefined, ...shown].flatMap((record, n) => {
    const gap = between(record, shown[n]);
    return [...(record ? [record] : []), ...(gap ? [gap] : [])];
  });
}
