/** A message between the service and a runner has a head, and a text that is handed on as it is. */
export type Frame = { readonly head: Readonly<Record<string, unknown>>; readonly body: string };

/** Largest frame, both ways. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const PREFIX_BYTES = 8;

export function encodeFrame(head: object, body = ''): Buffer {
  const headBytes = Buffer.from(JSON.stringify(head));
  const bodyBytes = Buffer.from(body);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(headBytes.length, 0);
  prefix.writeUInt32LE(bodyBytes.length, 4);
  return Buffer.concat([prefix, headBytes, bodyBytes]);
}

/** Splits what comes in a pipe into frames. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** @throws Error when the bytes are no frames */
  *read(chunk: Buffer): Generator<Frame> {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) yield frame;
  }

  #next(): Frame | undefined {
    const [first] = this.#chunks;
    if (first === undefined || this.#bytes < PREFIX_BYTES) return undefined;
    const prefix = first.length < PREFIX_BYTES ? this.#joined() : first;
    const headBytes = prefix.readUInt32LE(0);
    const bodyBytes = prefix.readUInt32LE(4);
    if (headBytes + bodyBytes > MAX_FRAME_BYTES) throw new Error('a frame is too large');
    const end = PREFIX_BYTES + headBytes + bodyBytes;
    if (this.#bytes < end) return undefined;
    const all = this.#joined();
    const head: unknown = JSON.parse(all.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + headBytes));
    if (typeof head !== 'object' || head === null) throw new Error('a frame has no head');
    const body = all.toString('utf8', PREFIX_BYTES + headBytes, end);
    this.#chunks = end < all.length ? [all.subarray(end)] : [];
    this.#bytes -= end;
    return { head: head as Frame['head'], body };
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
