import { type DomainError, invalid } from '@catchment/errors';

/** Formats are printed with every record: without a bound a short answer could be made arbitrarily long. */
export const MAX_FORMAT = 100;

/** @throws DomainError invalid_argument */
export function atMost(argument: string, text: string | undefined, max: number): string | undefined {
  if (text !== undefined && lengthOf(text) > max) throw bad(argument, `must be at most ${max} characters`);
  return text;
}

export const lengthOf = (text: string): number => [...text].length;

export const bad = (argument: string, rule: string): DomainError => invalid('INVALID_ARGUMENT', `${argument}: ${rule}`);
