const [LF, CR, SPACE, EQUALS, QUOTE, BACKSLASH, HASH] = [10, 13, 32, 61, 34, 92, 35];
const NOTHING = Buffer.alloc(0);

/** A line is longer than any may be; the number of its bytes is not reported. */
export class LineTooLong extends Error {}

/**
 * Splits a text of lines into parts of whole lines as its bytes come. A line break within quotes belongs to its line.
 * The splitter holds no more than a part and a line, whatever comes.
 */
export class LineCutter {
  readonly #partBytes: number;
  readonly #lineBytes: number;
  #held: Buffer = NOTHING;

  /** @param partBytes of a part, about; a line of `lineBytes` fits besides */
  constructor({ partBytes, lineBytes }: { readonly partBytes: number; readonly lineBytes: number }) {
    this.#partBytes = partBytes;
    this.#lineBytes = lineBytes;
  }

  /** @returns parts that are complete @throws LineTooLong */
  push(bytes: Buffer): Buffer[] {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const parts: Buffer[] = [];
    while (this.#held.length >= this.#partBytes) {
      const cut = this.#cut();
      if (cut === 0) break;
      parts.push(this.#held.subarray(0, cut));
      this.#held = this.#held.subarray(cut);
    }
    return parts;
  }

  /** Returns the rest, which needs no line break at its end. @throws LineTooLong */
  end(): Buffer {
    const rest = this.#held;
    this.#held = NOTHING;
    if (rest.length > this.#partBytes + this.#lineBytes) throw new LineTooLong();
    return rest;
  }

  /** Returns how many bytes of what is held are whole lines; 0 = none yet. */
  #cut(): number {
    const held = this.#held;
    const plain = held.includes(QUOTE) ? lastBreak(held) : held.lastIndexOf(LF) + 1;
    if (held.length - plain > this.#lineBytes) throw new LineTooLong();
    return plain;
  }
}

/** Cuts after the last line break that is in no quotes. A quote that is never closed is a fault of its first line, and ends with it. */
function lastBreak(bytes: Buffer): number {
  let last = 0;
  let lineBegin = 0;
  let [hasFields, isValue, isQuoted] = [false, false, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at];
    if (code === BACKSLASH) at += 1;
    else if (code === SPACE) hasFields = true;
    else if (code === QUOTE && bytes[lineBegin] !== HASH && (isQuoted || isValue)) isQuoted = !isQuoted;
    else if (code === LF && !isQuoted) {
      last = at + 1;
      lineBegin = last;
      hasFields = false;
    }
    isValue = hasFields && code === EQUALS;
  }
  return last;
}

/** Returns whether there is anything but line breaks, blanks and comments. */
export function hasLines(bytes: Buffer): boolean {
  let isBegin = true;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at];
    if (code === LF || code === CR) isBegin = true;
    else if (code === HASH && isBegin) {
      const end = bytes.indexOf(LF, at);
      if (end < 0) return false;
      at = end;
    } else if (code !== SPACE && code !== 9) return true;
  }
  return false;
}
