const LF = 0x0a;
const CR = 0x0d;

/** Knows where the lines of a part are in their file. */
export class LinePlace {
  readonly #bytes: number;
  readonly #linesOfFile: number;
  #passed = 0;
  #lines = 0;
  #isAfterCr = false;

  /** @param part absent: the text is a whole file */
  constructor(part: { readonly bytes: number; readonly lines: number } = { bytes: 0, lines: 0 }) {
    this.#bytes = part.bytes;
    this.#linesOfFile = part.lines;
  }

  /** Counts the lines of the first bytes while they pass: whoever reads a line has had its bytes pass. */
  async *watching(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      this.#count(piece.subarray(0, Math.max(0, this.#bytes - this.#passed)));
      this.#passed += piece.length;
      yield piece;
    }
  }

  /** Returns whether a line, from 1, is of the first bytes. */
  isBefore(line: number): boolean {
    return line <= this.#lines;
  }

  inFile(line: number): number {
    return line - this.#lines + (this.#bytes > 0 ? this.#linesOfFile : 0);
  }

  #count(piece: Uint8Array): void {
    for (const byte of piece) {
      if (byte === CR || (byte === LF && !this.#isAfterCr)) this.#lines += 1;
      this.#isAfterCr = byte === CR;
    }
  }
}
