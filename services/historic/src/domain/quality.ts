export const QUALITY_TYPES = ['GOOD', 'BAD', 'UNCERTAIN'] as const;
export type QualityType = (typeof QUALITY_TYPES)[number];

/** Types of the system codes (semantics 6.4). */
const SYSTEM_CODES: ReadonlyMap<number, QualityType> = new Map([
  [149, 'UNCERTAIN'],
  [155, 'BAD'],
  [156, 'BAD'],
  [158, 'BAD'],
  [162, 'GOOD'],
  [165, 'GOOD'],
]);

/** Type of a record's quality under the default account settings: none is GOOD, an unknown code UNCERTAIN. */
export const qualityTypeOf = (code: number | undefined): QualityType =>
  code === undefined ? 'GOOD' : (SYSTEM_CODES.get(code) ?? 'UNCERTAIN');
