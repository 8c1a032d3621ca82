import { createHmac, timingSafeEqual } from 'node:crypto';

/** A partition of the log has this of a write; ids are 24 hex characters. */
export type WrittenPart = { readonly sourceId: string; readonly sequence: number; readonly nodeIds: string[] };

const ID_BYTES = 12;
const SEAL_BYTES = 16;
/** A part has this many bytes at its head: the id of its source, the sequence, and the number of series that follow. */
const HEAD_BYTES = ID_BYTES + 8 + 2;

/**
 * Says where the log has a write, as a text that only its account can ask about
 * (docs/reference/writing.md#durable-and-readable). The text is sealed with the owner, so nobody can make one, or use
 * that of another account.
 */
export class WritePositions {
  readonly #secret: string;

  /** @param secret of all gateways of an installation */
  constructor(secret: string) {
    this.#secret = secret;
  }

  of(ownerId: string, parts: readonly WrittenPart[]): string {
    const bytes = Buffer.concat(parts.map(packed));
    return Buffer.concat([this.#seal(ownerId, bytes), bytes]).toString('base64url');
  }

  /** @returns undefined for what was not made here for this account */
  read(ownerId: string, text: string): WrittenPart[] | undefined {
    const all = Buffer.from(text, 'base64url');
    if (all.length < SEAL_BYTES || all.toString('base64url') !== text) return undefined;
    const [seal, bytes] = [all.subarray(0, SEAL_BYTES), all.subarray(SEAL_BYTES)];
    return timingSafeEqual(seal, this.#seal(ownerId, bytes)) ? unpacked(bytes) : undefined;
  }

  #seal(ownerId: string, bytes: Uint8Array): Buffer {
    return createHmac('sha256', this.#secret)
      .update(`write ${ownerId} `)
      .update(bytes)
      .digest()
      .subarray(0, SEAL_BYTES);
  }
}

function packed({ sourceId, sequence, nodeIds }: WrittenPart): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(sourceId, 'hex');
  head.writeBigUInt64BE(BigInt(sequence), ID_BYTES);
  head.writeUInt16BE(nodeIds.length, ID_BYTES + 8);
  return Buffer.concat([head, ...nodeIds.map((id) => Buffer.from(id, 'hex'))]);
}

function unpacked(bytes: Buffer): WrittenPart[] {
  const parts: WrittenPart[] = [];
  for (let at = 0; at < bytes.length; ) {
    const idAt = (from: number) => bytes.toString('hex', from, from + ID_BYTES);
    const count = bytes.readUInt16BE(at + ID_BYTES + 8);
    const sequence = Number(bytes.readBigUInt64BE(at + ID_BYTES));
    const series = at + HEAD_BYTES;
    const nodeIds = Array.from({ length: count }, (_, n) => idAt(series + n * ID_BYTES));
    parts.push({ sourceId: idAt(at), sequence, nodeIds });
    at = series + count * ID_BYTES;
  }
  return parts;
}
