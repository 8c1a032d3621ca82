import { HEAD_BYTES, headOf } from './plan.ts';

const LF = 0x0a;

/** Remembers facts of the bytes of a file while they pass. */
export class ByteTally {
  sizeBytes: number;
  /** The last whole line ends here; 0: no line has ended. */
  readTo: number;
  lines: number;
  #start: Uint8Array;

  /** @param from where the bytes begin, the end of a line; `start`: the first HEAD_BYTES before it, or all */
  constructor(
    { readTo, lines, start }: { readonly readTo: number; readonly lines: number; readonly start: Uint8Array } = {
      readTo: 0,
      lines: 0,
      start: new Uint8Array(0),
    },
  ) {
    this.sizeBytes = readTo;
    this.readTo = readTo;
    this.lines = lines;
    this.#start = start.subarray(0, HEAD_BYTES);
  }

  /** Hash of the first bytes. */
  get head(): string {
    return headOf(this.#start);
  }

  push(piece: Uint8Array): void {
    if (this.#start.length < HEAD_BYTES)
      this.#start = Buffer.concat([this.#start, piece.subarray(0, HEAD_BYTES - this.#start.length)]);
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) {
      this.lines += 1;
      this.readTo = this.sizeBytes + at + 1;
    }
    this.sizeBytes += piece.length;
  }
}
