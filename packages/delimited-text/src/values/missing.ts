import { invalid } from '@catchment/errors';
import { type DecimalSeparator, readNumber } from './numbers.ts';

/** Limits of a parser (docs/reference/acquisition.md#text-parser). */
export const MISSING_MAX = 50;
export const MISSING_CHARACTERS_MAX = 100;

/** These mean that there is no value, beside what always does (docs/reference/acquisition.md#text-parser). */
export interface Missing {
  /** Takes a whole field without the blanks around it, in any letter case. */
  readonly isWord: (text: string) => boolean;
  /** Accepts a number that a logger writes in the place of one, such as -9999. */
  readonly isCode: (value: number) => boolean;
}
export const NOTHING_MISSING: Missing = { isWord: () => false, isCode: () => false };

/** A word that is a number means each number that is as large: `-9999` also means `-9999.00`. */
export function missingOf(words: readonly string[], separator: DecimalSeparator): Missing {
  if (words.length === 0) return NOTHING_MISSING;
  const trimmed = words.map((word) => word.trim().toLowerCase());
  const known = new Set(trimmed);
  const codes = new Set(
    trimmed.flatMap((word) => readNumber(word, 'STRICT', separator) ?? readNumber(word, 'STRICT', '.') ?? []),
  );
  return {
    isWord: (text) => known.has(text.toLowerCase()),
    isCode: codes.size === 0 ? () => false : (value) => codes.has(value),
  };
}

/** @throws DomainError invalid_argument naming the word */
export function checkMissing(words: readonly string[]): void {
  if (words.length > MISSING_MAX) throw invalid('INVALID_PARSER', `missing: must have at most ${MISSING_MAX} entries`);
  words.forEach((word, n) => {
    if (word.trim() === '')
      throw invalid('INVALID_PARSER', `missing[${n}]: must not be blank; an empty field is no value anyway`);
    if (word.length > MISSING_CHARACTERS_MAX)
      throw invalid('INVALID_PARSER', `missing[${n}]: must have at most ${MISSING_CHARACTERS_MAX} characters`);
  });
}
