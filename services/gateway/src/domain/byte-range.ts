/** First and last byte of a part, both included. */
export type ByteRange = { readonly first: number; readonly last: number };

/**
 * Reads the part that a Range header names (RFC 9110, 14.2): one range of bytes. Anything else (several ranges, other units, bad
 * syntax) is as if it were not there.
 * @returns undefined = the whole; 'unsatisfiable' = 416
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'unsatisfiable' : { first, last };
}
