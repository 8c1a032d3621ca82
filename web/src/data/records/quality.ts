import { call } from '../requests/call.ts';

export type QualityType = 'GOOD' | 'BAD' | 'UNCERTAIN';
export type QualityCode = {
  readonly name: string;
  readonly code: number;
  readonly type: QualityType;
  readonly color: string | null;
};
export type Qualities = { readonly of: (code: number) => QualityCode; readonly codes: readonly QualityCode[] };

type Settings = { readonly unknown?: QualityType | null; readonly codes?: readonly QualityCode[] | null };

let asked: Promise<Qualities> | undefined;

/** Reads what codes mean in the account. A code is its number without the right to read that, and without an answer. */
export function qualities(): Promise<Qualities> {
  asked ??= call<Settings>('GET', '/owners/account/quality').then(
    ({ unknown, codes }) => qualitiesOf(codes ?? [], unknown ?? 'UNCERTAIN'),
    () => {
      asked = undefined;
      return qualitiesOf([], 'UNCERTAIN');
    },
  );
  return asked;
}

function qualitiesOf(codes: readonly QualityCode[], unknown: QualityType): Qualities {
  const byCode = new Map(codes.map((code) => [code.code, code]));
  return { codes, of: (code) => byCode.get(code) ?? { name: String(code), code, type: unknown, color: null } };
}

/** The next page that asks reads the settings anew. */
export function forgetQualities(): void {
  asked = undefined;
}
