import type { Rating, RatingEntry } from '@catchment/contracts/ratings';
import type { Transform } from '@catchment/equation';
import type { StoredRecord } from './record-set.ts';

/** Value and quality of an output record; at least one is there. */
export type Rated = { readonly value: number | undefined; readonly quality: number | undefined };

/**
 * Bad - No Data: the input lies outside of the table, or the equation has no finite result
 * (docs/reference/processing-and-ratings.md#ratings).
 */
const NO_DATA = 155;

/**
 * The output for one record of the input (docs/reference/processing-and-ratings.md#ratings); undefined when there is none:
 * before the first rating, or for a record with neither quality nor a value after the transform.
 */
export function rate(
  { entries }: Pick<Rating, 'entries'>,
  { apply }: Pick<Transform, 'apply'>,
  input: Pick<StoredRecord, 'timeMs' | 'number' | 'quality'>,
): Rated | undefined {
  const entry = entries[lastIndexAtOrBelow(entries.length, (index) => entries[index]?.startMs ?? 0, input.timeMs)];
  if (!entry) return undefined;
  const { number, quality } = input;
  const x = number === undefined ? Number.NaN : apply(number);
  if (Number.isNaN(x)) return quality === undefined ? undefined : { value: undefined, quality };
  const value = result(entry, x);
  return Number.isFinite(value) ? { value, quality } : { value: undefined, quality: NO_DATA };
}

function result({ kind }: RatingEntry, x: number): number {
  switch (kind?.$case) {
    case 'table':
      return interpolated(kind.value.inputs, kind.value.results, x);
    case 'polynomial':
      return kind.value.coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
    default:
      return Number.NaN;
  }
}

/** NaN outside of the table: nothing is extrapolated. */
function interpolated(inputs: readonly number[], results: readonly number[], x: number): number {
  const i = lastIndexAtOrBelow(inputs.length, (index) => inputs[index] ?? 0, x);
  const [x0, r0] = [inputs[i], results[i]];
  if (x0 === undefined || r0 === undefined) return Number.NaN;
  if (x0 === x) return r0;
  const [x1, r1] = [inputs[i + 1], results[i + 1]];
  if (x1 === undefined || r1 === undefined) return Number.NaN;
  return r0 + ((x - x0) * (r1 - r0)) / (x1 - x0);
}

/** -1 when all are above, or `limit` is no number. */
function lastIndexAtOrBelow(length: number, at: (index: number) => number, limit: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
