export const QUALITY_TYPES = ['GOOD', 'BAD', 'UNCERTAIN'] as const;
export type QualityType = (typeof QUALITY_TYPES)[number];

/** An account knows such quality codes. */
export type QualityCode = {
  readonly name: string;
  /** These numbers of sources are read as `code`. */
  readonly sourceQuality: readonly number[];
  readonly code: number;
  readonly type: QualityType;
  /** '#rrggbb'. */
  readonly color: string;
  /** Used by the platform itself: may get another number and colour, keeps name and type, stays. */
  readonly isSystem: boolean;
};

/** Reads of historic data go by these quality settings of an account (docs/reference/quality.md#quality-codes). */
export type QualitySettings = {
  /** Types that reads leave out unless they ask otherwise. */
  readonly excluded: readonly QualityType[];
  /** Records without a quality get this type. */
  readonly unspecified: QualityType;
  /** Codes that are not in the table get this type. */
  readonly unknown: QualityType;
  readonly codes: readonly QualityCode[];
};

/** The codes come by their own numbers. */
export const SYSTEM_CODES: readonly QualityCode[] = (
  [
    [149, 'Uncertain - Subnormal', 'UNCERTAIN', '#b04ec1'],
    [155, 'Bad - No Data', 'BAD', '#c43f42'],
    [156, 'Bad - No Bounds', 'BAD', '#c43f42'],
    [158, 'Bad - Data Unavailable', 'BAD', '#f9ae3a'],
    [162, 'Good - Entry Inserted', 'GOOD', '#4a84c3'],
    [165, 'Good - No Data', 'GOOD', '#4a84c3'],
  ] as const
).map(([code, name, type, color]) => ({ name, sourceQuality: [], code, type, color, isSystem: true }));

/** These hold as long as an account has changed nothing. */
export const DEFAULT_QUALITY: QualitySettings = {
  excluded: [],
  unspecified: 'GOOD',
  unknown: 'UNCERTAIN',
  codes: SYSTEM_CODES,
};
