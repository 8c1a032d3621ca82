import type { Window } from './chart-window.ts';

type Line = {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly gapMs: number | null;
};
/** A vertical stroke of a column of pixels; undefined: nothing was recorded there. */
export type Stroke = { readonly low: number; readonly high: number } | undefined;

/** Lowest and highest of each column of pixels, as parts of the height from below: a strip shows where something was, no more. */
export function strokesOf({ times, values }: Line, { start, end }: Window, columns: number): readonly Stroke[] {
  const all: ({ low: number; high: number } | undefined)[] = Array.from({ length: columns });
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [i, ms] of times.entries()) {
    const value = values[i];
    if (value === null || value === undefined || ms < start || ms > end) continue;
    const at = Math.min(Math.floor(((ms - start) / (end - start)) * columns), columns - 1);
    const known = all[at];
    all[at] = known
      ? { low: Math.min(known.low, value), high: Math.max(known.high, value) }
      : { low: value, high: value };
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const height = most - least || 1;
  return all.map((one) => one && { low: (one.low - least) / height, high: (one.high - least) / height });
}

export type Grip = 'start' | 'end' | 'all' | 'new';

/** What a pointer takes hold of: an edge of the window, the window, or a place beside it. */
export function gripOf(ms: number, window: Window, nearMs: number): Grip {
  const isWide = window.end - window.start > 3 * nearMs;
  if (isWide && Math.abs(ms - window.start) <= nearMs) return 'start';
  if (isWide && Math.abs(ms - window.end) <= nearMs) return 'end';
  return ms >= window.start && ms <= window.end ? 'all' : 'new';
}

/** The window once the pointer, which took hold of it at `from`, is at `to`. */
export function dragged(grip: Grip, window: Window, from: number, to: number): Window {
  const by = to - from;
  if (grip === 'all') return { start: window.start + by, end: window.end + by };
  if (grip === 'start') return { start: Math.min(window.start + by, window.end - 1), end: window.end };
  if (grip === 'end') return { start: window.start, end: Math.max(window.end + by, window.start + 1) };
  const half = (window.end - window.start) / 2;
  return { start: to - half, end: to + half };
}
