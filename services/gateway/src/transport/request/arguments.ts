import { invalid } from '@catchment/errors';
import type { QueryArguments } from './query.ts';

/** An argument's text; present but empty counts as absent (docs/reference/query-arguments.md#decoding, rule 6). */
export const textArgument = (query: QueryArguments, name: string): string => query[name] ?? '';

/**
 * A whole number with an optional sign, or undefined when absent.
 * @throws DomainError invalid_argument
 */
export function intArgument(
  query: QueryArguments,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < range.min || value > range.max) {
    throw invalid('BAD_ARGUMENT', `${name}: must be a whole number from ${range.min} to ${range.max}`);
  }
  // "-0" is 0.
  return value === 0 ? 0 : value;
}

/**
 * One of the listed words, any letter case, or the fallback when absent.
 * @throws DomainError invalid_argument
 */
export function wordArgument<const T extends string>(
  query: QueryArguments,
  name: string,
  words: readonly T[],
  fallback: T,
): T {
  const text = query[name];
  if (text === undefined || text === '') return fallback;
  const word = words.find((one) => one === text.toUpperCase());
  if (word === undefined) throw invalid('BAD_ARGUMENT', `${name}: must be ${words.join(' or ')}`);
  return word;
}

/**
 * TRUE or FALSE, any letter case; absent is FALSE (docs/reference/query-arguments.md#decoding, rule 3).
 * @throws DomainError invalid_argument
 */
export const flagArgument = (query: QueryArguments, name: string): boolean =>
  wordArgument(query, name, ['TRUE', 'FALSE'], 'FALSE') === 'TRUE';
