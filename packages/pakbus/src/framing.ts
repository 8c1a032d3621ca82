import { nullifierOf, signatureOf } from './signature.ts';

const SYNC = 0xbd;
const QUOTE = 0xbc;
/** A quoted byte is sent as the quote and the byte plus this. */
const QUOTED = 0x20;

/** Bytes of a packet with its nullifier, unquoted: BMP5 Transparent Commands 1.4.4. */
export const PACKET_BYTES = { min: 4, max: 1010 } as const;
const NULLIFIER_BYTES = 2;

/** Wakes a logger up, and ends what the line may have left in its buffer. */
export const WAKE_UP: Uint8Array = new Uint8Array(6).fill(SYNC);

/** Returns a packet as it goes over a line: quoted, signed, between two sync bytes. */
export function frame(packet: Uint8Array): Uint8Array {
  const signed = [...packet, ...nullifierOf(signatureOf(packet))];
  const quoted = signed.flatMap((byte) => (byte === SYNC || byte === QUOTE ? [QUOTE, byte + QUOTED] : [byte]));
  return Uint8Array.of(SYNC, ...quoted, SYNC);
}

/**
 * Finds packets in what a line brings, in pieces of any size. What is no packet (noise, damage, more than a packet may
 * have) is dropped up to the next sync byte, and counted. Keeps at most one packet.
 */
export class Deframer {
  readonly #bytes = new Uint8Array(PACKET_BYTES.max);
  #length = 0;
  #isQuoted = false;
  #isSpoiled = true;
  #dropped = 0;

  /** Frames that were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @returns the packets that these bytes complete, each a copy */
  push(bytes: Uint8Array): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (const byte of bytes) {
      if (byte === SYNC) {
        const packet = this.#end();
        if (packet) packets.push(packet);
      } else this.#take(byte);
    }
    return packets;
  }

  #take(byte: number): void {
    if (this.#isSpoiled) return;
    if (byte === QUOTE && !this.#isQuoted) {
      this.#isQuoted = true;
      return;
    }
    const value = this.#isQuoted ? byte - QUOTED : byte;
    const isWrong = this.#isQuoted && value !== SYNC && value !== QUOTE;
    this.#isQuoted = false;
    if (isWrong || this.#length === PACKET_BYTES.max) this.#isSpoiled = true;
    else this.#bytes[this.#length++] = value;
  }

  #end(): Uint8Array | undefined {
    const signed = this.#bytes.subarray(0, this.#length);
    const isWhole = !this.#isSpoiled && !this.#isQuoted;
    // Nothing can be lost before the first sync byte of a line, and between two of them.
    const isEmpty = this.#length === 0 && !this.#isQuoted;
    this.#length = 0;
    this.#isQuoted = false;
    this.#isSpoiled = false;
    if (isEmpty) return undefined;
    if (isWhole && signed.length >= PACKET_BYTES.min + NULLIFIER_BYTES && signatureOf(signed) === 0) {
      return signed.slice(0, -NULLIFIER_BYTES);
    }
    this.#dropped++;
    return undefined;
  }
}
