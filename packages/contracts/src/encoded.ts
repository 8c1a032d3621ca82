import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** A writer that has written more is not kept. */
const KEPT_BYTES = 256 * 1024;

let kept = new BinaryWriter();

/** The bytes of a message. One writer serves all of them: a new one grows anew, by a copy of all that it has, for each message. */
export function encoded<T>(type: { encode(message: T, writer: BinaryWriter): unknown }, message: T): Uint8Array {
  const writer = kept;
  // A message that cannot be written leaves a part of it behind.
  kept = new BinaryWriter();
  type.encode(message, writer);
  const bytes = writer.finish();
  if (bytes.byteLength <= KEPT_BYTES) kept = writer;
  return bytes;
}
