/** Codes that aggregates give (docs/reference/quality.md#quality-codes). */
export const SUBNORMAL = 149;
export const BAD_NO_DATA = 155;
export const GOOD_NO_DATA = 165;
