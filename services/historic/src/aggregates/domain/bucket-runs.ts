import { DAY_MS } from '@catchment/time';

/** Half-open intervals lie between ascending bounds; records count within a part of time. */
export type Intervals = { readonly bounds: readonly number[]; readonly fromMs: number; readonly toMs: number };

/** Buckets of one length make up some of the intervals; times in Unix ms, `toMs` exclusive. */
export type BucketRun = {
  readonly fromMs: number;
  readonly toMs: number;
  /** Buckets begin at `offsetMs` + any multiple of it; the last one is cut by `toMs`. */
  readonly bucketMs: number;
  readonly offsetMs: number;
  /** The intervals, `end` exclusive. */
  readonly first: number;
  readonly end: number;
};

type BucketNeeds = {
  /** Each interval has to be one bucket. */
  readonly areIntervals: boolean;
  readonly maxBucketMs: number;
};

const MAX_BUCKETS = 100_000;
/** InfluxDB's last time is 2262-04-11: beyond it the ends of its buckets wrap around, and records are in none. */
const MAX_BUCKET_END_MS = Math.floor(2 ** 63 / 1e6) - DAY_MS;
/** A zone that changes its clock twice a year has 2 of them in each. */
const MAX_RUNS = 100;
/** A longer run is divided in two: InfluxDB computes each on one processor. */
const LONG_RUN_BUCKETS = 1_000;
/** An interval of an odd length may be divided into at most this many buckets more than it needs. */
const DIVISORS_TRIED = 100;

/**
 * Divides all intervals into as few runs as possible, each of buckets of one length that are parts of one interval only.
 * A run ends with a day, or what has days, in which a clock changes: a surplus or gap at its end is cut off. Where
 * that makes too many runs there is one, of buckets of which all intervals are multiples.
 * @returns undefined when there are too many buckets, or some that InfluxDB has no end for
 */
export function bucketRuns({ bounds, fromMs, toMs }: Intervals, needs: BucketNeeds): BucketRun[] | undefined {
  let spans = spansOf(bounds, needs.areIntervals);
  if (spans.length > MAX_RUNS) {
    if (needs.areIntervals) return undefined;
    const commonMs = spans.reduce((common, span) => gcd(common, span.commonMs), 0);
    spans = [{ first: 0, end: bounds.length - 1, unitMs: commonMs, commonMs }];
  }
  const runs = spans.flatMap(({ first, end, unitMs }): BucketRun[] => {
    const bucketMs = bucketWithin(unitMs, needs.maxBucketMs);
    const runOf = (from: number, to: number): BucketRun => ({
      fromMs: Math.max(fromMs, bounds[from] ?? 0),
      toMs: Math.min(toMs, bounds[to] ?? 0),
      bucketMs,
      offsetMs: (bounds[first] ?? 0) % bucketMs,
      first: from,
      end: to,
    });
    const middle = (first + end) >> 1;
    const whole = runOf(first, end);
    if (middle === first || bucketsOf(whole) <= LONG_RUN_BUCKETS) return [whole];
    return [runOf(first, middle), runOf(middle, end)];
  });
  if (runs.some(({ toMs: runEndMs, bucketMs }) => runEndMs + bucketMs > MAX_BUCKET_END_MS)) return undefined;
  return runs.reduce((sum, run) => sum + bucketsOf(run), 0) > MAX_BUCKETS ? undefined : runs;
}

const bucketsOf = ({ fromMs, toMs, bucketMs }: BucketRun): number => Math.max(0, toMs - fromMs) / bucketMs;

type Span = {
  readonly first: number;
  end: number;
  /** All its intervals are multiples of this length, but for one that ends it. */
  unitMs: number;
  /** All intervals are multiples of this, the greatest such length, the last interval included. */
  commonMs: number;
};

function spansOf(bounds: readonly number[], areIntervals: boolean): Span[] {
  const spans: Span[] = [];
  let kind = Number.NaN;
  for (let index = 0; index < bounds.length - 1; index += 1) {
    const lengthMs = (bounds[index + 1] ?? 0) - (bounds[index] ?? 0);
    const ownKind = areIntervals || lengthMs % DAY_MS !== 0 ? lengthMs : DAY_MS;
    const span = spans.at(-1);
    const isAlike = ownKind === kind;
    // A shorter interval is the rest of a bucket; a longer interval takes several buckets.
    if (span && (isAlike || (!Number.isNaN(kind) && (!areIntervals || lengthMs < span.unitMs)))) {
      span.end = index + 1;
      span.commonMs = gcd(span.commonMs, lengthMs);
      if (isAlike) span.unitMs = gcd(span.unitMs, lengthMs);
      else kind = Number.NaN;
      continue;
    }
    spans.push({ first: index, end: index + 1, unitMs: lengthMs, commonMs: lengthMs });
    kind = ownKind;
  }
  return spans;
}

/** Returns the greatest bucket up to `maxMs` of which `lengthMs` is a multiple, or a bucket that is not much smaller. */
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
