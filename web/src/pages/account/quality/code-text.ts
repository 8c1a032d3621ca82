import type { QualityEntry } from '../../../data/account/quality-settings.ts';
import type { QualityType } from '../../../data/records/quality.ts';
import { say } from '../words.ts';

/** Numbers of a typed entry stay as they were typed until they are saved. */
export type TypedEntry = {
  readonly name: string;
  readonly code: string;
  readonly sources: string;
  readonly type: QualityType;
  readonly color: string;
};

export const NEW_ENTRY: TypedEntry = { name: '', code: '', sources: '', type: 'GOOD', color: '#808080' };

export const typedOf = ({ name, code, sourceQuality, type, color }: QualityEntry): TypedEntry => ({
  name,
  type,
  code: String(code),
  sources: sourceQuality.join(', '),
  color: color ?? '#808080',
});

/** Reads a whole number as the API takes it; anything else goes as it was typed, and the server says what is wrong. */
const numberOf = (typed: string): number =>
  (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : typed.trim() || null) as number;

/** @returns the entry that is sent */
export const entryOf = ({ name, code, sources, type, color }: TypedEntry): Omit<QualityEntry, 'isSystem'> => ({
  name: name.trim(),
  code: numberOf(code),
  sourceQuality: sources
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(numberOf),
  type,
  color,
});

/** Says what an entry means, in a line. */
export function factsOf({ type, sourceQuality, isSystem }: QualityEntry): string {
  const text = say().quality;
  return [
    text.types[type],
    sourceQuality.length === 0 ? '' : text.ofSources(sourceQuality.join(', ')),
    isSystem ? text.system : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
