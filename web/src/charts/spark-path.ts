import { isGap } from '@catchment/dashboard-view';
import type { Window } from './chart-window.ts';

type SparkLine = {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly gapMs: number | null;
};

/** Draws a line in small as the path of an SVG, with breaks where nothing was recorded; empty: there is nothing in the window. */
export function sparkPath(
  { times, values, gapMs }: SparkLine,
  { start, end }: Window,
  width: number,
  height: number,
): string {
  const inside = times.flatMap((ms, i) => (ms >= start && ms <= end ? [{ ms, value: values[i] ?? null }] : []));
  const numbers = inside.flatMap(({ value }) => value ?? []);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const y = (value: number) => height - 2 - ((value - low) / (high - low || 1)) * (height - 4);
  let path = '';
  let before: number | undefined;
  for (const { ms, value } of inside) {
    if (value === null) {
      before = undefined;
      continue;
    }
    const isBroken = before === undefined || (gapMs !== null && isGap(before, ms, gapMs));
    path += `${isBroken ? 'M' : 'L'}${(((ms - start) / (end - start)) * width).toFixed(1)} ${y(value).toFixed(1)}`;
    before = ms;
  }
  return path;
}
