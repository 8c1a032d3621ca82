import { DEFAULT_QUALITY, type QualityCode, type QualitySettings, type QualityType, SYSTEM_CODES } from './settings.ts';

/** Every read applies an account's quality settings like this. */
export type QualityTable = {
  /** Left out of answers that say nothing else. */
  readonly excluded: ReadonlySet<QualityType>;
  /** Returns the type of a code as shown; undefined = a record without. */
  typeOf(code: number | undefined): QualityType;
  /** Returns the code that is shown for a stored one. */
  shown(code: number | undefined): number | undefined;
  /** Empty for a code that is not in the table. @param code as shown */
  nameOf(code: number | undefined): string;
  /** Returns the account's number of a system code. */
  system(code: number): number;
  /** True if `shown` changes any code. */
  readonly isMapping: boolean;
};

type TableSettings = Omit<QualitySettings, 'codes'> & {
  readonly codes: readonly Pick<QualityCode, 'name' | 'sourceQuality' | 'code' | 'type'>[];
};

export function qualityTable({ excluded, unspecified, unknown, codes }: TableSettings): QualityTable {
  const known = new Map(codes.map((code) => [code.code, code]));
  const shown = new Map(codes.flatMap(({ sourceQuality, code }) => sourceQuality.map((source) => [source, code])));
  const system = new Map(
    SYSTEM_CODES.map(({ code, name }) => [code, codes.find((code) => code.name === name)?.code ?? code]),
  );
  return {
    excluded: new Set(excluded),
    typeOf: (code) => (code === undefined ? unspecified : (known.get(code)?.type ?? unknown)),
    shown: (code) => (code === undefined ? undefined : (shown.get(code) ?? code)),
    nameOf: (code) => (code === undefined ? '' : (known.get(code)?.name ?? '')),
    system: (code) => system.get(code) ?? code,
    isMapping: shown.size > 0,
  };
}

/** The table holds as long as an account has changed nothing. */
export const DEFAULT_TABLE: QualityTable = qualityTable(DEFAULT_QUALITY);

/** Returns the type of a record's quality under the default account settings: none is GOOD, an unknown code UNCERTAIN. */
export const qualityTypeOf = DEFAULT_TABLE.typeOf;
