import { type Between, straight } from '@catchment/equation';
import type { SecondaryInputs, Value } from './program.ts';
import type { Records } from './series.ts';

/** An input has values at each of the times of a page; the time and quality are those of the record that the value is of. */
export type AlignedInput = {
  readonly values: readonly (Value | undefined)[];
  readonly times: readonly (number | undefined)[];
  readonly qualities: readonly (number | undefined)[];
};

/**
 * Returns what an input is at each of the times: its record of that time, or what its neighbours say
 * (docs/reference/processing-and-ratings.md#program-runs).
 * @param records with values, ascending; the last one before the first time and the first one after the last time among
 * them
 * @param times ascending
 */
export function aligned(
  records: Records,
  times: readonly number[],
  mode: SecondaryInputs,
  between: Between = straight,
): AlignedInput {
  const values: (Value | undefined)[] = [];
  const ofTimes: (number | undefined)[] = [];
  const qualities: (number | undefined)[] = [];
  let at = -1;
  for (const timeMs of times) {
    while ((records.times[at + 1] ?? Number.POSITIVE_INFINITY) <= timeMs) at += 1;
    const before = at < 0 ? undefined : records.times[at];
    const isBetween = mode === 'INTERPOLATED' && before !== timeMs;
    const found = isBetween ? interpolated(records, at, timeMs, between) : undefined;
    values.push(found ?? (at < 0 ? undefined : records.values[at]));
    ofTimes.push(found === undefined ? before : timeMs);
    qualities.push(at < 0 ? undefined : records.qualities[at]);
  }
  return { values, times: ofTimes, qualities };
}

/** Undefined where a neighbour is missing, or is no number. */
function interpolated({ times, values }: Records, at: number, timeMs: number, between: Between): number | undefined {
  const [from, to] = [values[at], values[at + 1]];
  const [fromMs, toMs] = [times[at], times[at + 1]];
  if (typeof from !== 'number' || typeof to !== 'number' || fromMs === undefined || toMs === undefined)
    return undefined;
  return between(from, to, (timeMs - fromMs) / (toMs - fromMs));
}

/** Returns the same with numbers as TRUE and FALSE. */
export const asBooleans = (column: AlignedInput): AlignedInput => ({
  ...column,
  values: column.values.map((value) => (typeof value === 'number' ? value !== 0 : value)),
});
