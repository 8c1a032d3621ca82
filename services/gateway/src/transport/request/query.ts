import { invalid } from '@catchment/errors';
import { isStorableText, STORABLE_TEXT } from '@catchment/ids';

/**
 * Decoded arguments by name; an empty one is kept, because some of them differ from absent ones
 * (docs/reference/query-arguments.md#decoding).
 */
export type QueryArguments = Readonly<Record<string, string>>;

/** Longest query string, bytes (docs/reference/limits.md). */
export const QUERY_MAX_BYTES = 4096;
/** A message shows this many of a name. */
const NAME_SHOWN = 100;

/** Returns the part of a request target after the first `?`; Node gives one character per byte. */
export function rawQueryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}

/**
 * Returns the last value of each name (docs/reference/query-arguments.md#decoding).
 * @throws DomainError invalid_argument when the encoding is broken, or something cannot be stored
 */
export function parseQuery(raw: string): QueryArguments {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of decodedPairs(raw, 'query string')) query[name] = value;
  return query;
}

/**
 * Names and values percent-decoded as UTF-8 once, `+` as a space (docs/reference/query-arguments.md#decoding). Bytes that a
 * client did not encode, such as `$ ( ) : ,` or raw UTF-8, are taken as they are.
 * @param raw one character per byte
 * @param what the text is, for the message
 * @throws DomainError invalid_argument when the encoding is broken, or something cannot be stored
 */
export function decodedPairs(raw: string, what: string): [name: string, value: string][] {
  return raw.split('&').flatMap((pair): [string, string][] => {
    if (pair === '') return [];
    const mark = pair.indexOf('=');
    const name = mark < 0 ? pair : pair.slice(0, mark);
    const decoded = decode(name, what);
    if (!isStorableText(decoded)) throw invalid('INVALID_TEXT', `${what}: must have names of ${STORABLE_TEXT}`);
    return [[decoded, storable(decode(mark < 0 ? '' : pair.slice(mark + 1), what), decoded)]];
  });
}

/**
 * Checks a text that came beside the body, in an argument, a field or a header.
 * @param name for the message
 * @throws DomainError invalid_argument
 */
export function storable(text: string, name: string): string {
  if (isStorableText(text)) return text;
  throw invalid('INVALID_TEXT', `${name.slice(0, NAME_SHOWN).toWellFormed()}: must be ${STORABLE_TEXT}`);
}

function decode(text: string, what: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!/[%\u0080-\uffff]/.test(spaced)) return spaced;
  try {
    return decodeURIComponent(asPercentEncoded(spaced));
  } catch {
    throw invalid('BAD_ENCODING', `${what}: must be UTF-8 and percent-encoded correctly`);
  }
}

const asPercentEncoded = (text: string): string =>
  text.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
