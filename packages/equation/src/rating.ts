/** Rows of a rating table by their inputs, ascending. */
export type RatingRows = { readonly inputs: readonly number[]; readonly results: readonly number[] };

/**
 * Returns the result of a rating table on the line between two rows; NaN outside of it: nothing is extrapolated
 * (docs/reference/processing-and-ratings.md#ratings).
 */
export function ratedByTable({ inputs, results }: RatingRows, x: number): number {
  const i = lastIndexAtOrBelow(inputs.length, (index) => inputs[index] ?? 0, x);
  const [x0, r0] = [inputs[i], results[i]];
  if (x0 === undefined || r0 === undefined) return Number.NaN;
  if (x0 === x) return r0;
  const [x1, r1] = [inputs[i + 1], results[i + 1]];
  if (x1 === undefined || r1 === undefined) return Number.NaN;
  return r0 + ((x - x0) * (r1 - r0)) / (x1 - x0);
}

/** @param coefficients the constant term first */
export const ratedByPolynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);

/** Finds the last of ascending values that is no larger than `limit`; -1 when all are above, or `limit` is no number. */
export function lastIndexAtOrBelow(length: number, at: (index: number) => number, limit: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
