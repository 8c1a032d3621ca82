import { forgetQualities, type QualityCode, type QualityType } from '../records/quality.ts';
import { call } from '../requests/call.ts';
import { overNow } from '../requests/over-now.ts';
import { checkUnchanged } from '../requests/overtaken.ts';

export const QUALITY_TYPES = ['GOOD', 'UNCERTAIN', 'BAD'] as const satisfies readonly QualityType[];

/** A table's entry (docs/reference/quality.md#quality-codes). */
export type QualityEntry = QualityCode & { readonly sourceQuality: readonly number[]; readonly isSystem: boolean };
export type QualityRules = {
  readonly excluded: readonly QualityType[];
  readonly unspecified: QualityType;
  readonly unknown: QualityType;
};
export type QualitySettings = QualityRules & { readonly codes: readonly QualityEntry[]; readonly revision: number };

export const readSettings = (): Promise<QualitySettings> => call('GET', '/owners/account/quality');

async function save(
  body: Partial<Omit<QualitySettings, 'revision'>>,
  { revision }: QualitySettings,
): Promise<QualitySettings> {
  const saved = await call<QualitySettings>('PUT', '/owners/account/quality', { body, ifMatch: revision });
  forgetQualities();
  return saved;
}

/**
 * Changes one entry; the table is read just before, for it is replaced as a whole.
 * @param base as it was when somebody began; undefined: a new one @param next undefined: the entry goes @throws Overtaken
 */
export const saveEntry = (
  base: QualityEntry | undefined,
  next: Omit<QualityEntry, 'isSystem'> | undefined,
): Promise<QualitySettings> =>
  overNow(async () => {
    const now = await readSettings();
    const at = base === undefined ? now.codes.length : now.codes.findIndex(({ name }) => name === base.name);
    if (base !== undefined) await checkUnchanged(base, now.codes[at], 'quality.codes');
    return save({ codes: now.codes.toSpliced(at, 1, ...(next === undefined ? [] : [next as QualityEntry])) }, now);
  });

/** @throws Overtaken */
export const saveRules = (base: QualityRules, next: QualityRules): Promise<QualitySettings> =>
  overNow(async () => {
    const now = await readSettings();
    await checkUnchanged(rulesOf(base), rulesOf(now), 'quality.');
    return save(next, now);
  });

const rulesOf = ({ excluded, unspecified, unknown }: QualityRules): QualityRules => ({
  excluded,
  unspecified,
  unknown,
});
