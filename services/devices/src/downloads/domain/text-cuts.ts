const LF = 0x0a;
const PACKED: readonly (readonly number[])[] = [
  [0x1f, 0x8b],
  [0x50, 0x4b],
];

/** Returns whether lines can be taken from the middle of such a file: it is not packed, and a byte of a line's end is one. */
export const hasPlainLines = (start: Uint8Array): boolean =>
  !PACKED.some((magic) => magic.every((byte, n) => start[n] === byte)) && !start.includes(0);

/**
 * Returns the first whole rows of a text. A row may have line breaks between qualifiers.
 * @returns undefined when no row ends in it
 */
export function firstRows(text: Uint8Array, qualifier: string): Uint8Array | undefined {
  const byte = qualifier.charCodeAt(0);
  let end = 0;
  let quotes = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === byte) quotes += 1;
    else if (text[at] === LF && quotes % 2 === 0) end = at + 1;
  }
  return end > 0 ? text.subarray(0, end) : undefined;
}

/**
 * Returns the last whole rows of a text that ends with a row and may begin within a row.
 * @returns empty where no row can be recognized
 */
export function lastRows(text: Uint8Array, qualifier: string): Uint8Array {
  const byte = qualifier.charCodeAt(0);
  let begin = text.length;
  let quotes = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === byte) quotes += 1;
    else if (text[at] === LF && quotes % 2 === 0) begin = at + 1;
  }
  return text.subarray(begin);
}
