import { ValueType } from '@catchment/contracts/nodes';
import { DAY_MS } from '@catchment/time';
import type { QualityTable, QualityType } from '../quality.ts';
import type { SeriesNode } from '../series-node.ts';
import type { Aggregate } from './aggregate-name.ts';

/** What the store can say of the numbers of a bucket. */
export const STORE_CALLS = ['count', 'sum', 'min', 'max', 'first', 'last', 'median'] as const;
export type StoreCall = (typeof STORE_CALLS)[number];

/** A question to the store: these figures of every bucket of a time range, Unix ms, `toMs` exclusive. */
export type StoreQuestion = {
  readonly calls: readonly StoreCall[];
  readonly fromMs: number;
  readonly toMs: number;
  /** Buckets begin at `offsetMs` + any multiple of it. */
  readonly bucketMs: number;
  readonly offsetMs: number;
};

/** Half-open intervals between ascending bounds, and the part of time within which records count. */
export type Intervals = { readonly bounds: readonly number[]; readonly fromMs: number; readonly toMs: number };

export type StoreColumn = {
  readonly aggregate: Aggregate;
  readonly node: Pick<SeriesNode, 'series'>;
  readonly renderType: 'VALUE' | 'STATE';
  readonly excluded: ReadonlySet<QualityType>;
  readonly quality: QualityTable;
};

const CALLS: Partial<Record<Aggregate, readonly StoreCall[]>> = {
  AVERAGE: ['count', 'sum'],
  TOTAL: ['count', 'sum'],
  COUNT: ['count'],
  MIN: ['count', 'min'],
  MAX: ['count', 'max'],
  RANGE: ['count', 'min', 'max'],
  DELTA: ['count', 'first', 'last'],
  START: ['count', 'first'],
  END: ['count', 'last'],
  MEDIAN: ['count', 'median'],
};

const MAX_BUCKETS = 100_000;
/** Sums of more values lose too many digits: the store adds plainly. */
const SUM_BUCKET_MS = DAY_MS / 4;

/** Whether values are shown as they are stored. */
export const isUntransformed = ({ series }: Pick<SeriesNode, 'series'>): boolean =>
  series.multiplier === 1 && series.offset === 0;

/**
 * What to ask the store for an aggregate; undefined where the service has to compute it from the records. The store knows
 * nothing of states, of exclusion and of what an account makes of records without quality, and its buckets are all of one
 * length: they are parts of intervals wherever those differ, as days and months with DST do.
 */
export function storePlan(column: StoreColumn, { bounds, fromMs, toMs }: Intervals): StoreQuestion | undefined {
  const { aggregate, node, renderType, excluded, quality } = column;
  const calls = CALLS[aggregate];
  if (!calls || node.series.valueType !== ValueType.VALUE_TYPE_NUMBER || renderType !== 'VALUE') return undefined;
  if (quality.typeOf(undefined) !== 'GOOD' || excluded.has('GOOD')) return undefined;
  // How InfluxDB rounds times before 1970 is left to it.
  if (fromMs < 0 || fromMs >= toMs) return undefined;
  const isPlain = isUntransformed(node);
  const lengthMs = commonLength(bounds);
  const isSum = calls.includes('sum');
  if (aggregate === 'MEDIAN') {
    // Medians of parts make no median.
    if (!isPlain || bounds.some((bound, n) => n > 0 && bound - (bounds[n - 1] ?? 0) !== lengthMs)) return undefined;
  }
  const bucketMs = isSum ? gcd(lengthMs, SUM_BUCKET_MS) : lengthMs;
  if (bucketMs <= 0 || (toMs - fromMs) / bucketMs > MAX_BUCKETS) return undefined;
  // A transform may leave no number: the extremes tell.
  const all = isPlain ? calls : [...new Set<StoreCall>([...calls, 'min', 'max'])];
  return { calls: all, fromMs, toMs, bucketMs, offsetMs: (bounds[0] ?? 0) % bucketMs };
}

/** The greatest length of which all intervals are multiples. */
const commonLength = (bounds: readonly number[]): number =>
  bounds.reduce((common, bound, n) => (n === 0 ? 0 : gcd(common, bound - (bounds[n - 1] ?? 0))), 0);

function gcd(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
