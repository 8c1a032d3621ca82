import { ValueType } from '@catchment/contracts/nodes';
import { DAY_MS } from '@catchment/time';
import type { QualityTable, QualityType } from '../quality.ts';
import type { SeriesNode } from '../series-node.ts';
import type { Aggregate } from './aggregate-name.ts';

/** What the store can say of the numbers of a bucket. */
export const STORE_CALLS = ['count', 'sum', 'min', 'max', 'first', 'last', 'median'] as const;
export type StoreCall = (typeof STORE_CALLS)[number];

/** A question to the store: these figures of every bucket of time ranges, which ascend and do not meet. */
export type StoreQuestion = { readonly calls: readonly StoreCall[]; readonly parts: readonly BucketRun[] };

/** Buckets of one length; Unix ms, `toMs` exclusive. */
export type BucketRun = {
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
/** Of one question: what changes clocks twice a year has 3 of them for each pair of changes. */
const MAX_PARTS = 100;
/** Sums of more values lose too many digits: the store adds plainly. */
const SUM_BUCKET_MS = DAY_MS / 4;
/** Into how many buckets more than it takes an interval of an odd length may be divided. */
const DIVISORS_TRIED = 100;

/** Whether values are shown as they are stored. */
export const isUntransformed = ({ series }: Pick<SeriesNode, 'series'>): boolean =>
  series.multiplier === 1 && series.offset === 0;

/**
 * What to ask the store for an aggregate; undefined where the service has to compute it from the records. The store knows
 * nothing of states, of exclusion and of what an account makes of records without quality, and the buckets of one part are
 * all of one length. Days on which a clock changes are parts of their own, which leaves whole days to the others; where that
 * makes too many parts, the buckets are what all intervals can be put together from.
 */
export function storePlan(column: StoreColumn, { bounds, fromMs, toMs }: Intervals): StoreQuestion | undefined {
  const { aggregate, node, renderType, excluded, quality } = column;
  const calls = CALLS[aggregate];
  if (!calls || node.series.valueType !== ValueType.VALUE_TYPE_NUMBER || renderType !== 'VALUE') return undefined;
  if (quality.typeOf(undefined) !== 'GOOD' || excluded.has('GOOD')) return undefined;
  // How InfluxDB rounds times before 1970 is left to it.
  if (fromMs < 0 || fromMs >= toMs) return undefined;
  const isPlain = isUntransformed(node);
  const isMedian = aggregate === 'MEDIAN';
  if (isMedian && !isPlain) return undefined;
  // Medians of parts make no median: their intervals have to be buckets.
  let runs = runsOf(bounds, (lengthMs) => (isMedian || lengthMs % DAY_MS !== 0 ? lengthMs : DAY_MS));
  if (runs.length > MAX_PARTS) {
    if (isMedian) return undefined;
    runs = runsOf(bounds, () => 0);
  }
  const maxBucketMs = calls.includes('sum') ? SUM_BUCKET_MS : Number.POSITIVE_INFINITY;
  const parts = runs.flatMap((run): BucketRun[] => {
    const part = { fromMs: Math.max(fromMs, run.fromMs), toMs: Math.min(toMs, run.toMs) };
    const bucketMs = bucketWithin(run.commonMs, maxBucketMs);
    return part.fromMs < part.toMs ? [{ ...part, bucketMs, offsetMs: run.fromMs % bucketMs }] : [];
  });
  const buckets = parts.reduce((sum, part) => sum + (part.toMs - part.fromMs) / part.bucketMs, 0);
  if (parts.length === 0 || buckets > MAX_BUCKETS) return undefined;
  // A transform may leave no number: the extremes tell.
  return { calls: isPlain ? calls : [...new Set<StoreCall>([...calls, 'min', 'max'])], parts };
}

/** Neighbouring intervals, with the greatest length of which all of them are multiples. */
type Run = { readonly fromMs: number; toMs: number; commonMs: number };

/** @param kindOf of the length of an interval: those of one kind make a run */
function runsOf(bounds: readonly number[], kindOf: (lengthMs: number) => number): Run[] {
  const runs: Run[] = [];
  let lastKind = Number.NaN;
  for (const [n, toMs] of bounds.entries()) {
    const fromMs = bounds[n - 1];
    if (fromMs === undefined) continue;
    const lengthMs = toMs - fromMs;
    const kind = kindOf(lengthMs);
    const run = runs.at(-1);
    if (run && kind === lastKind) {
      run.toMs = toMs;
      run.commonMs = gcd(run.commonMs, lengthMs);
    } else runs.push({ fromMs, toMs, commonMs: lengthMs });
    lastKind = kind;
  }
  return runs;
}

/** The greatest bucket up to `maxMs` of which `lengthMs` is a multiple, or one that is not much smaller. */
function bucketWithin(lengthMs: number, maxMs: number): number {
  if (lengthMs <= maxMs) return lengthMs;
  const fewest = Math.ceil(lengthMs / maxMs);
  for (let count = fewest; count < fewest + DIVISORS_TRIED; count += 1)
    if (lengthMs % count === 0) return lengthMs / count;
  return gcd(lengthMs, maxMs);
}

function gcd(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
