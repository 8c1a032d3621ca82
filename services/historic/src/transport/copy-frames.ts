import { CopyFrame } from '@catchment/contracts/copies';
import { DomainError } from '@catchment/errors';

/** A chunk of records with long texts; more is no frame of ours. */
const MAX_FRAME_BYTES = 1024 * 1024 * 1024;
const HEAD_BYTES = 4;

/** Frames as bytes, each after its length. */
export async function* encodeFrames(frames: AsyncIterable<CopyFrame>): AsyncGenerator<Buffer> {
  for await (const frame of frames) {
    const body = CopyFrame.encode(frame).finish();
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(body.byteLength);
    yield head;
    yield Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  }
}

/** @throws DomainError failed_precondition for bytes that end within a frame */
export async function* decodeFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CopyFrame> {
  let held: Uint8Array[] = [];
  let size = 0;
  let wanted: number | undefined;
  for await (const piece of bytes) {
    held.push(piece);
    size += piece.byteLength;
    while (size >= (wanted ?? HEAD_BYTES)) {
      const all = Buffer.concat(held);
      const length = wanted ?? HEAD_BYTES;
      const body = all.subarray(0, length);
      const rest = all.subarray(length);
      held = [rest];
      size = rest.byteLength;
      if (wanted === undefined) {
        wanted = body.readUInt32LE();
        if (wanted > MAX_FRAME_BYTES) throw cut();
      } else {
        wanted = undefined;
        yield CopyFrame.decode(body);
      }
    }
  }
  if (size > 0 || wanted !== undefined) throw cut();
}

const cut = () => new DomainError('failed_precondition', 'COPY_CUT', 'The copy of records ends before its end');
