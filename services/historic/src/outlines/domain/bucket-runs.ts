import { DAY_MS } from '@catchment/time';
import type { RangeColumns } from './range-columns.ts';

/** The store's buckets of one length are these neighbouring columns. */
export type ColumnRun = {
  /** Unix ms; `toMs` exclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Nanoseconds: buckets begin at `offsetNs` + any multiple of `bucketNs`. The last column may have the beginning of one more. */
  readonly bucketNs: bigint;
  readonly offsetNs: bigint;
};

const NS_PER_MS = 1_000_000;
/** A bucket's beginning, rounded to milliseconds, then lies in its column, or just before. */
const SHORTEST_MS = 2;
/** InfluxDB's times end in 2262: a bucket has to end before. */
const MAX_END_MS = Math.floor(2 ** 63 / 1e6) - DAY_MS;
/** This many buckets make at least two runs: the store computes each on one processor. */
const SPLIT_FROM = 100;

/**
 * Returns the columns from `first` on as runs. A column may be no whole number of nanoseconds: buckets, which are, drift off by up to one
 * in each, and a run ends before that puts any millisecond into the wrong column.
 * @returns undefined where the store has no such buckets
 */
export function columnRuns(columns: RangeColumns, first: number): ColumnRun[] | undefined {
  const { starts, count, wholeMs, rest } = columns;
  const [fromMs = 0, endMs = 0] = [starts[first], starts[count]];
  // InfluxDB rounds times before 1970 in another way.
  if (fromMs < 0 || wholeMs < SHORTEST_MS || endMs + wholeMs + 1 > MAX_END_MS) return undefined;
  const partNs = Math.floor((rest * NS_PER_MS) / count);
  const bucketNs = BigInt(wholeMs) * BigInt(NS_PER_MS) + BigInt(partNs);
  /** The exact beginning of a column lies this part of a millisecond before its first one. */
  const leadNs = (column: number): number => {
    const part = (column * rest) % count;
    return part === 0 ? 0 : NS_PER_MS - Math.floor((part * NS_PER_MS) / count);
  };
  /** A bucket is this many nanoseconds shorter than a column. */
  const drift = (rest * NS_PER_MS) / count - partNs;
  const longest = count - first < SPLIT_FROM ? count : Math.ceil((count - first) / 2);
  const runs: ColumnRun[] = [];
  for (let from = first; from < count; ) {
    let to = from + 1;
    // The first beginning is exact but for the part of a nanosecond that rounding takes.
    while (to < count && to - from < longest && !isCrossed(leadNs(to), (to - from) * drift + 1)) to += 1;
    const originNs = BigInt(starts[from] ?? 0) * BigInt(NS_PER_MS) - BigInt(leadNs(from));
    runs.push({
      fromMs: starts[from] ?? 0,
      toMs: starts[to] ?? 0,
      bucketNs,
      offsetNs: originNs % bucketNs,
    });
    from = to;
  }
  return runs;
}

/** Returns whether a beginning that lies `leadNs` before a millisecond is moved, by so much to the left, before the millisecond before that. */
const isCrossed = (leadNs: number, byNs: number): boolean => leadNs > 0 && leadNs + byNs >= NS_PER_MS;
