import { invalid } from '@catchment/errors';
import { isStorableText } from '@catchment/ids';

type Kinds = { readonly string: string; readonly number: number };
type Places<T extends readonly (keyof Kinds)[]> = { [Index in keyof T]: Kinds[T[Index]] };

/**
 * Names where a page ends, as the `next` of an answer: opaque to clients, so that it may hold something else one day.
 */
export const placeText = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * The parts of a `next`.
 * @param kinds what its parts are
 * @returns undefined where none was given
 * @throws DomainError invalid_argument
 */
export function placeIn<const T extends readonly (keyof Kinds)[]>(after: string, kinds: T): Places<T> | undefined {
  if (after === '') return undefined;
  const parts = partsOf(after);
  const isFit = (part: unknown, index: number) =>
    typeof part === kinds[index] && (typeof part === 'string' ? isStorableText(part) : Number.isSafeInteger(part));
  if (parts.length !== kinds.length || !parts.every(isFit))
    throw invalid('INVALID_ARGUMENT', 'after: must be the next of an answer');
  return parts as unknown as Places<T>;
}

function partsOf(after: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
