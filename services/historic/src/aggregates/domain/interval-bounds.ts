import { invalid, tooLarge } from '@catchment/errors';
import { boundAt, type IntervalGrid, indexAt, MIN_INSTANT_MS } from '@catchment/time';

/** One aggregated column has at most this many intervals (docs/reference/reading.md#too-large-or-too-slow). */
const MAX_INTERVALS = 50_000;

/** Unix ms; absent = open. */
export type GridRange = {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly limit: number | undefined;
  readonly nowMs: number;
};

/** Earlier years have no four digits. */
const MIN_SHOWN_MS = Date.parse('0001-01-02T00:00:00Z');

const TOO_MANY = `interval: a column must have at most ${MAX_INTERVALS} intervals`;

/**
 * Returns the intervals of a query (docs/reference/aggregates.md#intervals, rules 3 and 5) as `n + 1` ascending bounds: interval `i` is
 * `[bounds[i], bounds[i + 1])`. Empty for none. An end that is not given is now; a limit takes the first intervals, or
 * the last ones where there is no start (docs/reference/reading.md#range-and-limit). An interval without length, as on a day
 * that a zone left out, is none.
 * @throws DomainError too_large; invalid_argument when an interval would begin before the year 1
 */
export function intervalBounds(grid: IntervalGrid, range: GridRange, isComplete: boolean): number[] {
  const { startMs, nowMs } = range;
  const endMs = range.endMs ?? nowMs;
  const fromMs = startMs ?? MIN_INSTANT_MS;
  if (fromMs >= endMs) return [];
  let first = indexAt(grid, fromMs);
  let last = indexAt(grid, Math.min(endMs - 1, nowMs));
  if (isComplete) {
    if (startMs !== undefined && boundAt(grid, first) < startMs) first += 1;
    if (boundAt(grid, last + 1) > Math.min(endMs, nowMs)) last -= 1;
  }
  return boundsOf(grid, first, last, range);
}

/**
 * The boundaries for INTERPOLATED, `startTime ≤ g(k) ≤ min(endTime, now)` (rule 4), with the boundary before the first
 * and the one after the last: the edges of their search windows. Empty for none.
 * @throws DomainError as `intervalBounds`
 */
export function interpolationBounds(grid: IntervalGrid, range: GridRange): number[] {
  const toMs = Math.min(range.endMs ?? range.nowMs, range.nowMs);
  const fromMs = range.startMs ?? MIN_INSTANT_MS;
  const last = indexAt(grid, toMs);
  const before = indexAt(grid, fromMs);
  const first = boundAt(grid, before) === fromMs ? before : before + 1;
  const points = boundsOf(grid, first, last, range);
  const [firstMs] = points;
  if (firstMs === undefined) return [];
  // The bound that `boundsOf` adds after the last point is the edge of its window.
  return [boundAt(grid, indexAt(grid, firstMs - 1)), ...points];
}

/** Returns the bounds of the intervals `first` to `last` as far as the limit goes, and the end of the last one. */
function boundsOf(grid: IntervalGrid, first: number, last: number, { startMs, limit = Infinity }: GridRange): number[] {
  if (last < first) return [];
  if (Math.min(limit, last - first + 1) > MAX_INTERVALS) throw tooLarge(TOO_MANY);
  const bounds: number[] = [];
  const isForward = startMs !== undefined;
  const step = isForward ? 1 : -1;
  // The bounds go backwards from the end of the last interval, so that the bound pushed last is a start.
  if (!isForward) bounds.push(boundAt(grid, last + 1));
  for (let k = isForward ? first : last; k >= first && k <= last; k += step) {
    const ms = boundAt(grid, k);
    if (ms < MIN_SHOWN_MS)
      throw invalid('INVALID_INTERVAL', 'interval: must not be so long that one begins before year 1');
    if (isForward ? ms >= boundAt(grid, k + 1) : ms >= (bounds.at(-1) ?? Infinity)) continue;
    bounds.push(ms);
    if (bounds.length === (isForward ? limit : limit + 1)) break;
  }
  if (!isForward) return bounds.length === 1 ? [] : bounds.reverse();
  const final = bounds.at(-1);
  if (final === undefined) return [];
  bounds.push(boundAt(grid, indexAt(grid, final) + 1));
  return bounds;
}
