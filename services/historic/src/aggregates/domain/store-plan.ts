import { ValueType } from '@catchment/contracts/nodes';
import { transformOf } from '@catchment/equation';
import type { QualityTable, QualityType } from '@catchment/quality';
import { DAY_MS } from '@catchment/time';
import type { Aggregate } from '../../columns/index.ts';
import type { SeriesNode } from '../../series/index.ts';
import { type BucketRun, bucketRuns, type Intervals } from './bucket-runs.ts';

/** Results that the store can compute for the numbers of a bucket. */
export const STORE_CALLS = ['count', 'sum', 'min', 'max', 'first', 'last', 'median'] as const;
export type StoreCall = (typeof STORE_CALLS)[number];

/** The store is asked for these figures of every bucket. */
export type StoreQuestion = { readonly calls: readonly StoreCall[]; readonly runs: readonly BucketRun[] };

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

/** Sums of more values lose too many digits: the store adds plainly. */
const SUM_BUCKET_MS = DAY_MS / 4;
/**
 * Returns the store's calls for an aggregate; undefined where the service has to compute it from the records. The store knows
 * nothing of states, of exclusion, of equations without a slope and of what an account makes of records without quality.
 */
export function storePlan(column: StoreColumn, intervals: Intervals): StoreQuestion | undefined {
  const { aggregate, node, renderType, excluded, quality } = column;
  const calls = CALLS[aggregate];
  if (!calls || node.series.valueType !== ValueType.VALUE_TYPE_NUMBER || renderType !== 'VALUE') return undefined;
  if (quality.typeOf(undefined) !== 'GOOD' || excluded.has('GOOD')) return undefined;
  // InfluxDB rounds times before 1970 in another way.
  if (intervals.fromMs < 0 || intervals.fromMs >= intervals.toMs) return undefined;
  const { isIdentity: isPlain, linear } = transformOf(node.series);
  if (!linear) return undefined;
  // Medians of parts make no median.
  const areIntervals = aggregate === 'MEDIAN';
  if (areIntervals && !isPlain) return undefined;
  const maxBucketMs = calls.includes('sum') ? SUM_BUCKET_MS : Number.POSITIVE_INFINITY;
  const runs = bucketRuns(intervals, { areIntervals, maxBucketMs });
  // A transform may give no number: the extremes show it.
  return runs && { calls: isPlain ? calls : [...new Set<StoreCall>([...calls, 'min', 'max'])], runs };
}
