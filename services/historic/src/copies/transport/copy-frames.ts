import { CopyFrame } from '@catchment/contracts/copies';
import { framed, framesOf } from '@catchment/contracts/frames';

export async function* encodeFrames(frames: AsyncIterable<CopyFrame>): AsyncGenerator<Buffer> {
  for await (const frame of frames) yield framed(CopyFrame.encode(frame).finish());
}

export async function* decodeFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CopyFrame> {
  for await (const frame of framesOf(bytes)) yield CopyFrame.decode(frame);
}
