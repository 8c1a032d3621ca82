export const QUALITY_TYPES = ['GOOD', 'BAD', 'UNCERTAIN'] as const;
export type QualityType = (typeof QUALITY_TYPES)[number];

/** The system codes by their own numbers (semantics 6.4): name and type. */
const SYSTEM_CODES: readonly (readonly [code: number, name: string, type: QualityType])[] = [
  [149, 'Uncertain - Subnormal', 'UNCERTAIN'],
  [155, 'Bad - No Data', 'BAD'],
  [156, 'Bad - No Bounds', 'BAD'],
  [158, 'Bad - Data Unavailable', 'BAD'],
  [162, 'Good - Entry Inserted', 'GOOD'],
  [165, 'Good - No Data', 'GOOD'],
];

/** The quality settings of an account, as the nodes service has them (semantics 6.4). */
export type QualitySettings = {
  readonly excluded: readonly QualityType[];
  readonly unspecified: QualityType;
  readonly unknown: QualityType;
  readonly codes: readonly {
    readonly name: string;
    readonly sourceQuality: readonly number[];
    readonly code: number;
    readonly type: QualityType;
  }[];
};

/** What an account's settings make of qualities on every read. */
export type QualityTable = {
  /** Left out of answers that say nothing else. */
  readonly excluded: ReadonlySet<QualityType>;
  /** Type of a code as shown; undefined = a record without. */
  typeOf(code: number | undefined): QualityType;
  /** The code that is shown for a stored one. */
  shown(code: number | undefined): number | undefined;
  /** The account's number of a system code. */
  system(code: number): number;
  /** Whether `shown` changes any code. */
  readonly isMapping: boolean;
};

export function qualityTable({ excluded, unspecified, unknown, codes }: QualitySettings): QualityTable {
  const types = new Map(codes.map(({ code, type }) => [code, type]));
  const shown = new Map(codes.flatMap(({ sourceQuality, code }) => sourceQuality.map((source) => [source, code])));
  const system = new Map(
    SYSTEM_CODES.map(([own, name]) => [own, codes.find((code) => code.name === name)?.code ?? own]),
  );
  return {
    excluded: new Set(excluded),
    typeOf: (code) => (code === undefined ? unspecified : (types.get(code) ?? unknown)),
    shown: (code) => (code === undefined ? undefined : (shown.get(code) ?? code)),
    system: (code) => system.get(code) ?? code,
    isMapping: shown.size > 0,
  };
}

/** As long as an account has changed nothing. */
export const DEFAULT_QUALITY: QualityTable = qualityTable({
  excluded: [],
  unspecified: 'GOOD',
  unknown: 'UNCERTAIN',
  codes: SYSTEM_CODES.map(([code, name, type]) => ({ code, name, type, sourceQuality: [] })),
});

/** Type of a record's quality under the default account settings: none is GOOD, an unknown code UNCERTAIN. */
export const qualityTypeOf = DEFAULT_QUALITY.typeOf;
