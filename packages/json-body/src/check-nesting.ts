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
 * Refuses bytes that nest deeper, or hold more objects and arrays, than any document needs. The parser decides whether
 * they are JSON: in other bytes the count may be wrong.
 * @throws DomainError invalid_argument, too_large
 */
export const checkNesting = (body: Uint8Array): void => new NestingCheck('body').push(body);

/** Checks the same of bytes that come in pieces. */
export class NestingCheck {
  readonly #what: string;
  #depth = 0;
  #containers = 0;
  #isInText = false;
  #isEscaped = false;

  /** @param what as refusals name it */
  constructor(what: string) {
    this.#what = what;
  }

  /** Objects and arrays are counted anew: the ones before are gone. */
  forget(): void {
    this.#containers = 0;
  }

  /** @throws DomainError invalid_argument, too_large */
  push(piece: Uint8Array): void {
    const { length } = piece;
    let at = this.#isInText ? this.#textEnd(piece, 0) : 0;
    for (; at < length; at += 1) {
      const kind = KIND[piece[at] ?? 0];
      if (kind === 0) continue;
      if (kind === OPENS) this.#open();
      else if (kind === CLOSES) this.#depth -= 1;
      else at = this.#textEnd(piece, at + 1) - 1;
    }
  }

  #open(): void {
    this.#depth += 1;
    this.#containers += 1;
    if (this.#depth > MAX_DEPTH)
      throw invalid('INVALID_BODY', `${this.#what}: must nest objects and arrays at most ${MAX_DEPTH} deep`);
    if (this.#containers > MAX_CONTAINERS)
      throw tooLarge(`${this.#what}: must have at most ${MAX_CONTAINERS} objects and arrays`);
  }

  /** Returns where the part behind a text begins, or the end of the piece. */
  #textEnd(piece: Uint8Array, from: number): number {
    let at = from;
    this.#isInText = true;
    if (this.#isEscaped && at < piece.length) {
      this.#isEscaped = false;
      at += 1;
    }
    for (; at < piece.length; at += 1) {
      if (piece[at] === QUOTE) {
        this.#isInText = false;
        return at + 1;
      }
      if (piece[at] !== BACKSLASH) continue;
      at += 1;
      if (at >= piece.length) this.#isEscaped = true;
    }
    return piece.length;
  }
}
