/** Neighbours that lie more than this many expected intervals apart have an outage between them. */
const INTERVALS = 3;
/** The interval of a series is the median of this many of its last steps … */
const LEARNT_STEPS = 100;
/** … and nobody says what is expected of a series with fewer records. */
const LEAST_RECORDS = 10;

/** This many records show the interval of a series: the last ones up to the end of what is shown. */
export const LEARNT_RECORDS = LEARNT_STEPS + 1;

/**
 * Returns the longest step over which a line is drawn, in milliseconds; Infinity: any
 * (docs/reference/charts.md#gaps).
 * @param expectedIntervalSeconds of the parameter's chart; null or absent: learnt
 * @param lastTimes Unix ms of the last records, ascending; those before the last 101 do not count
 */
export function gapMsOf(expectedIntervalSeconds: number | null | undefined, lastTimes: ArrayLike<number>): number {
  if (expectedIntervalSeconds) return INTERVALS * expectedIntervalSeconds * 1_000;
  if (lastTimes.length < LEAST_RECORDS) return Number.POSITIVE_INFINITY;
  const first = Math.max(0, lastTimes.length - LEARNT_RECORDS);
  const steps = new Float64Array(lastTimes.length - first - 1);
  for (let i = 0; i < steps.length; i += 1)
    steps[i] = (lastTimes[first + i + 1] as number) - (lastTimes[first + i] as number);
  steps.sort();
  const middle = steps.length >> 1;
  const median = steps.length % 2 === 1 ? steps[middle]! : (steps[middle - 1]! + steps[middle]!) / 2;
  return INTERVALS * median;
}

/** Returns whether an outage lies between two neighbouring records. */
export const isGap = (beforeMs: number, afterMs: number, gapMs: number): boolean => afterMs - beforeMs > gapMs;
