const NEWLINE = 0x0a;
const CR = 0x0d;
const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** So much of a refused line is enough to find its type and sequence in. */
const HEAD_BYTES = 256;

/** The bytes of a connection turn into these. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Empty lines are skipped; these are not usable, and say why. */
  | { readonly kind: 'bad'; readonly reason: 'TOO_LONG' | 'NOT_UTF8'; readonly head: string };

/** The line is not read yet: as text it takes up to twice its bytes, and as what is in it many times as much. */
export type RawLine = { readonly kind: 'raw'; readonly bytes: Buffer } | Extract<Line, { readonly kind: 'bad' }>;

/** Bytes that are kept lie in blocks of this size; those at the beginning of a line are smaller. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Splits a byte stream into lines ending in LF (a CR before it is dropped), wherever its chunks end. A line over the
 * limit is skipped up to its end, so that the next one is read properly; no more than the limit is kept.
 */
export class LineDecoder {
  #maxBytes: number;
  /** All blocks but the last are full: a line in many tiny chunks is copied twice, and takes little more than its bytes. */
  #blocks: Buffer[] = [];
  #bytes = 0;
  #keptBytes = 0;
  /** Set while the rest of a line over the limit is skipped. */
  #skippedHead: string | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The limit holds from the next line on. */
  set maxBytes(bytes: number) {
    this.#maxBytes = bytes;
  }

  /** Counts the bytes kept of the line that is not complete yet. */
  get pendingBytes(): number {
    return this.#keptBytes;
  }

  /**
   * Yields the lines that the chunk completes, one at a time: the limit may be changed in between. Each is valid until the next one is
   * asked for.
   */
  *push(chunk: Buffer): Generator<RawLine> {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end >= 0 && end - from <= this.#maxBytes && this.#bytes === 0 && this.#skippedHead === undefined) {
        const line = rawLine(chunk.subarray(from, end));
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
    if (this.#bytes + part.length > this.#maxBytes) {
      this.#skippedHead = headOf(Buffer.concat([...this.#blocks.slice(0, 1), part.subarray(0, HEAD_BYTES)]));
      this.#clear();
      return;
    }
    for (let at = 0; at < part.length; ) {
      const free = this.#keptBytes - this.#bytes;
      const last = this.#blocks.at(-1);
      if (free === 0 || !last) {
        const left = part.length - at;
        const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, Math.max(left, this.#bytes, HEAD_BYTES)));
        this.#blocks.push(block);
        this.#keptBytes += block.length;
        continue;
      }
      const copied = part.copy(last, last.length - free, at);
      at += copied;
      this.#bytes += copied;
    }
  }

  #finish(): RawLine | undefined {
    if (this.#skippedHead !== undefined) {
      const head = this.#skippedHead;
      this.#skippedHead = undefined;
      return { kind: 'bad', reason: 'TOO_LONG', head };
    }
    const [first] = this.#blocks;
    const bytes =
      this.#blocks.length === 1 && first
        ? first.subarray(0, this.#bytes)
        : Buffer.concat(this.#blocks).subarray(0, this.#bytes);
    this.#clear();
    return rawLine(bytes);
  }

  #clear(): void {
    this.#blocks = [];
    this.#bytes = 0;
    this.#keptBytes = 0;
  }
}

function rawLine(bytes: Buffer): RawLine | undefined {
  const line = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
  return line.length === 0 ? undefined : { kind: 'raw', bytes: line };
}

/** The text of a line. */
export function readLine(line: RawLine): Line {
  if (line.kind === 'bad') return line;
  try {
    return { kind: 'line', text: UTF8.decode(line.bytes) };
  } catch {
    return { kind: 'bad', reason: 'NOT_UTF8', head: headOf(line.bytes) };
  }
}

const headOf = (bytes: Buffer): string => bytes.subarray(0, HEAD_BYTES).toString('latin1');
