import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

/** A file of an import is at most so large, as it is stored (docs/reference/limits.md). */
const FILE_MAX_BYTES = 250_000_000;
const HEAD_BYTES = 64 * 1024;

export type OpenedFile = {
  readonly sizeBytes: number;
  /** With the size, the first stored bytes identify a file. */
  readonly head: Buffer;
  /** Returns how many of `sizeBytes` the last `bytes` has read. */
  readonly readBytes: () => number;
  /** Yields the file unpacked from its beginning on; may be called several times. */
  bytes(): AsyncIterable<Buffer>;
};

/** @throws Error for a path that is no file, or too large */
export async function openFile(path: string): Promise<OpenedFile> {
  const file = await open(path);
  let head: Buffer;
  let sizeBytes: number;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error(`${path} is no file`);
    if (stat.size > FILE_MAX_BYTES) throw new Error(`${path} is larger than 250 MB: split it`);
    sizeBytes = stat.size;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    head = buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 0x03)
    throw new Error(`${path} is a zip archive: unpack it first`);
  let readBytes = 0;
  return {
    sizeBytes,
    head,
    readBytes: () => readBytes,
    bytes: () => {
      const stored = createReadStream(path, { highWaterMark: 256 * 1024 });
      readBytes = 0;
      stored.on('data', (chunk) => {
        readBytes += chunk.length;
      });
      if (!isGzip) return stored;
      const unpacked = createGunzip();
      stored.on('error', (error) => unpacked.destroy(error));
      // A reader that stops early reads no more of the file.
      unpacked.on('close', () => stored.destroy());
      return stored.pipe(unpacked);
    },
  };
}
