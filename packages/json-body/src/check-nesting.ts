import { invalid, tooLarge } from '@catchment/errors';

/** Objects and arrays within each other; documents of the API have at most 8. */
export const MAX_DEPTH = 64;
/** Objects and arrays in all: a body of 5 MiB that is full of records `"0":{"v":1},` has 440 000. */
export const MAX_CONTAINERS = 500_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENS = 1;
const CLOSES = 2;
const BEGINS_TEXT = 3;

const KIND = new Uint8Array(256);
KIND[0x5b] = OPENS;
KIND[0x7b] = OPENS;
KIND[0x5d] = CLOSES;
KIND[0x7d] = CLOSES;
KIND[QUOTE] = BEGINS_TEXT;

/**
 * Refuses bytes that nest deeper, or hold more objects and arrays, than any document needs. Whether they are JSON is left
 * to the parser: in other bytes the count may be wrong.
 * @throws DomainError invalid_argument, too_large
 */
export function checkNesting(body: Uint8Array): void {
  const { length } = body;
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < length; at += 1) {
    const kind = KIND[body[at] ?? 0];
    if (kind === 0) continue;
    if (kind === OPENS) {
      depth += 1;
      containers += 1;
      if (depth > MAX_DEPTH)
        throw invalid('INVALID_BODY', `body: must nest objects and arrays at most ${MAX_DEPTH} deep`);
      if (containers > MAX_CONTAINERS) throw tooLarge(`body: must have at most ${MAX_CONTAINERS} objects and arrays`);
    } else if (kind === CLOSES) {
      depth -= 1;
    } else {
      for (at += 1; at < length && body[at] !== QUOTE; at += 1) if (body[at] === BACKSLASH) at += 1;
    }
  }
}
