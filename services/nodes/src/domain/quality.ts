/** The quality settings of an account (semantics 6.4): what reads of historic data go by. */
export const DEFAULT_QUALITY = {
  excluded: [],
  unspecified: 'GOOD',
  unknown: 'UNCERTAIN',
  codes: [
    [149, 'Uncertain - Subnormal', 'UNCERTAIN', '#b04ec1'],
    [155, 'Bad - No Data', 'BAD', '#c43f42'],
    [156, 'Bad - No Bounds', 'BAD', '#c43f42'],
    [158, 'Bad - Data Unavailable', 'BAD', '#f9ae3a'],
    [162, 'Good - Entry Inserted', 'GOOD', '#4a84c3'],
    [165, 'Good - No Data', 'GOOD', '#4a84c3'],
  ].map(([code, name, type, color]) => ({ name, sourceQuality: [], code, type, color, isSystem: true })),
} as const;
