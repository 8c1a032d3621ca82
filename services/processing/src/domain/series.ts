import type { Value } from './program.ts';

/** Records of a series or results of an aggregate ascend by time, in dense arrays of the same length. */
export type Records = {
  /** Unix ms. */
  readonly times: readonly number[];
  readonly values: readonly (Value | undefined)[];
  readonly qualities: readonly (number | undefined)[];
};

export const NO_RECORDS: Records = { times: [], values: [], qualities: [] };

/** Picks records by index. */
const picked = ({ times, values, qualities }: Records, keep: (index: number) => boolean): Records => {
  const kept = times.flatMap((_, index) => (keep(index) ? [index] : []));
  return {
    times: kept.map((index) => times[index] ?? 0),
    values: kept.map((index) => values[index]),
    qualities: kept.map((index) => qualities[index]),
  };
};

/** Picks records that have a value: others are no input. */
export const withValues = (records: Records): Records =>
  records.values.includes(undefined) ? picked(records, (index) => records.values[index] !== undefined) : records;

/** One after another. */
export const joined = (parts: readonly Records[]): Records => ({
  times: parts.flatMap(({ times }) => times),
  values: parts.flatMap(({ values }) => values),
  qualities: parts.flatMap(({ qualities }) => qualities),
});
