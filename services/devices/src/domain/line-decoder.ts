const NEWLINE = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);
const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** Enough of a line that was refused to find its type and sequence in. */
const HEAD_BYTES = 256;

/** What the bytes of a connection turn into. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Empty lines are skipped; these are not usable, and say why. */
  | { readonly kind: 'bad'; readonly reason: 'TOO_LONG' | 'NOT_UTF8'; readonly head: string };

/**
 * Cuts a byte stream into lines of UTF-8 text ending in LF (a CR before it is dropped), wherever the chunks are cut. A
 * line over the limit is skipped up to its end, so that the next one is read properly; no more than the limit is kept.
 */
export class LineDecoder {
  #maxBytes: number;
  /** Grows by doubling, so that a line in many tiny chunks is copied a few times only. */
  #buffer: Buffer = NOTHING;
  #bytes = 0;
  /** Set while the rest of a line over the limit is skipped. */
  #skippedHead: string | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** From the next line on. */
  set maxBytes(bytes: number) {
    this.#maxBytes = bytes;
  }

  /** Bytes kept of the line that is not complete yet. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  /** The lines that the chunk completes, one at a time: the limit may be changed in between. */
  *push(chunk: Buffer): Generator<Line> {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end >= 0 && end - from <= this.#maxBytes && this.#bytes === 0 && this.#skippedHead === undefined) {
        const line = lineOf(chunk.subarray(from, end));
        from = end + 1;
        if (line) yield line;
        continue;
      }
      this.#keep(chunk.subarray(from, end < 0 ? chunk.length : end));
      if (end < 0) return;
      from = end + 1;
      const line = this.#finish();
      if (line) yield line;
    }
  }

  #keep(part: Buffer): void {
    if (this.#skippedHead !== undefined || part.length === 0) return;
    const wanted = this.#bytes + part.length;
    if (wanted > this.#maxBytes) {
      this.#skippedHead = headOf(Buffer.concat([this.#buffer.subarray(0, this.#bytes), part.subarray(0, HEAD_BYTES)]));
      this.#clear();
      return;
    }
    if (wanted > this.#buffer.length) {
      const grown = Buffer.alloc(Math.max(wanted, Math.min(this.#maxBytes, this.#buffer.length * 2)));
      this.#buffer.copy(grown, 0, 0, this.#bytes);
      this.#buffer = grown;
    }
    part.copy(this.#buffer, this.#bytes);
    this.#bytes = wanted;
  }

  #finish(): Line | undefined {
    if (this.#skippedHead !== undefined) {
      const head = this.#skippedHead;
      this.#skippedHead = undefined;
      return { kind: 'bad', reason: 'TOO_LONG', head };
    }
    const bytes = this.#buffer.subarray(0, this.#bytes);
    this.#clear();
    return lineOf(bytes);
  }

  #clear(): void {
    this.#buffer = NOTHING;
    this.#bytes = 0;
  }
}

function lineOf(bytes: Buffer): Line | undefined {
  try {
    const text = UTF8.decode(bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes);
    return text === '' ? undefined : { kind: 'line', text };
  } catch {
    return { kind: 'bad', reason: 'NOT_UTF8', head: headOf(bytes) };
  }
}

const headOf = (bytes: Buffer): string => bytes.subarray(0, HEAD_BYTES).toString('latin1');
