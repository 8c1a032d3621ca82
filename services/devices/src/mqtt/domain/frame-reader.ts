import { Ending, REASON } from './reason.ts';

/** A fixed header has a byte of its type and up to four of the length. */
const HEADER_MAX = 5;
const EMPTY = Buffer.alloc(0);

/**
 * Reads whole packets out of a stream of bytes. It keeps at most twice as many bytes of an unfinished packet as have
 * come of it.
 */
export class FrameReader {
  /** Largest packet, its header included. */
  maxBytes: number;
  #kept = EMPTY;
  #length = 0;
  /** The packet that has begun takes these bytes; 0 while its length is unknown. */
  #needed = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Counts bytes of a packet that is not complete. */
  get pendingBytes(): number {
    return this.#length;
  }

  /** Takes bytes. @throws Ending when they begin no packet that is taken here */
  *push(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length; ) {
      if (this.#length === 0) {
        const size = this.#sizeOf(chunk.subarray(at, at + HEADER_MAX));
        if (size > 0 && chunk.length - at >= size) {
          yield chunk.subarray(at, at + size);
          at += size;
          continue;
        }
      }
      // A packet takes byte by byte while its length is not known.
      const taken = this.#needed === 0 ? 1 : Math.min(this.#needed - this.#length, chunk.length - at);
      this.#keep(chunk.subarray(at, at + taken));
      at += taken;
      this.#needed ||= this.#sizeOf(this.#kept.subarray(0, this.#length));
      if (this.#length < this.#needed || this.#needed === 0) continue;
      const frame = this.#kept.subarray(0, this.#length);
      this.#kept = EMPTY;
      this.#length = 0;
      this.#needed = 0;
      yield frame;
    }
  }

  #keep(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#kept.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * length, 64), this.#needed || length + HEADER_MAX));
      this.#kept.copy(larger, 0, 0, this.#length);
      this.#kept = larger;
    }
    bytes.copy(this.#kept, this.#length);
    this.#length = length;
  }

  /** Returns the length of the packet that begins so; 0 = not known yet. */
  #sizeOf(head: Buffer): number {
    let value = 0;
    for (let n = 1; n < Math.min(head.length, HEADER_MAX); n += 1) {
      const byte = head[n] ?? 0;
      value += (byte & 0x7f) * 128 ** (n - 1);
      if (byte < 0x80) return this.#checked(1 + n + value);
    }
    if (head.length >= HEADER_MAX)
      throw new Ending(REASON.malformed, 'the length of a packet has more than four bytes');
    return 0;
  }

  #checked(size: number): number {
    if (size > this.maxBytes)
      throw new Ending(REASON.tooLarge, `a packet may have at most ${this.maxBytes} bytes, not ${size}`);
    return size;
  }
}
