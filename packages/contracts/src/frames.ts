const HEAD_BYTES = 4;
/** More is no frame of ours. */
const MAX_FRAME_BYTES = 1024 * 1024 * 1024;

/** Returns a message as it stands in a file of many: after its length, four bytes, little-endian. */
export function framed(message: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(HEAD_BYTES + message.byteLength);
  whole.writeUInt32LE(message.byteLength);
  whole.set(message, HEAD_BYTES);
  return whole;
}

/** Yields the messages of such a file. @throws Error when it ends within one */
export async function* framesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  let wanted: number | undefined;
  for await (const piece of bytes) {
    held.push(piece);
    size += piece.byteLength;
    while (size >= (wanted ?? HEAD_BYTES)) {
      const all = Buffer.concat(held);
      const length = wanted ?? HEAD_BYTES;
      held = [all.subarray(length)];
      size -= length;
      if (wanted === undefined) {
        wanted = all.readUInt32LE();
        if (wanted > MAX_FRAME_BYTES) throw new Error('The bytes are no frames');
      } else {
        wanted = undefined;
        yield all.subarray(0, length);
      }
    }
  }
  if (size > 0 || wanted !== undefined) throw new Error('The bytes end within a frame');
}
