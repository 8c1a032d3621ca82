import { toDomainError } from './domain-error.ts';
import { ERROR_TABLE } from './error-table.ts';

/** Errors of the language: a program that meets the same content again throws them again. */
const OF_PROGRAMS: ReadonlySet<string> = new Set([
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'URIError',
]);

/**
 * Returns whether work failed for what it was given: it would fail again, and nobody else need wait for it. Outages, conflicts and quotas pass; of
 * errors that nobody knows it is not said.
 */
export function isContentFault(error: unknown): boolean {
  const { kind, cause } = toDomainError(error);
  return ERROR_TABLE[kind].bus === 'drop' || (kind === 'internal' && isOfProgram(cause));
}

/** One with a cause is about something else: `fetch` throws a TypeError where nobody answers. */
const isOfProgram = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'name' in error &&
  OF_PROGRAMS.has(String(error.name)) &&
  !('cause' in error);
