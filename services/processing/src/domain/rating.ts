import type { Rating, RatingEntry } from '@catchment/contracts/ratings';
import { lastIndexAtOrBelow, ratedByPolynomial, ratedByTable } from '@catchment/equation';

/** Value and quality of an output record; at least one is there. */
export type Rated = { readonly value: number | undefined; readonly quality: number | undefined };

/** A record of the input; its value is transformed. */
type Rateable = { readonly timeMs: number; readonly value: number | undefined; readonly quality: number | undefined };

/**
 * Bad - No Data: the input lies outside of the table, or the equation has no finite result
 * (docs/reference/processing-and-ratings.md#ratings).
 */
const NO_DATA = 155;

/**
 * Returns the output for one record of the input (docs/reference/processing-and-ratings.md#ratings); undefined when there is none:
 * before the first rating, or for a record with neither quality nor a value.
 */
export function rate(entries: Rating['entries'], { timeMs, value: x, quality }: Rateable): Rated | undefined {
  const entry = entries[lastIndexAtOrBelow(entries.length, (index) => entries[index]?.startMs ?? 0, timeMs)];
  if (!entry) return undefined;
  if (x === undefined) return quality === undefined ? undefined : { value: undefined, quality };
  const value = result(entry, x);
  return Number.isFinite(value) ? { value, quality } : { value: undefined, quality: NO_DATA };
}

function result({ kind }: RatingEntry, x: number): number {
  switch (kind?.$case) {
    case 'table':
      return ratedByTable(kind.value, x);
    case 'polynomial':
      return ratedByPolynomial(kind.value.coefficients, x);
    default:
      return Number.NaN;
  }
}
