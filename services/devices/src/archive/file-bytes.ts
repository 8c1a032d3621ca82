import { unavailable } from '@catchment/errors';

/** Bytes that can be read from anywhere, and again. */
export interface FileBytes {
  readonly size: number;
  /** From a byte up to another, that one not included; in pieces, with other work of the process in between. */
  range(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** @returns undefined when it is gone */
export type ReadSegment = (segment: number) => Promise<Uint8Array | undefined>;

const PIECE_BYTES = 64 * 1024;
/** Directories of archives are read in many small pieces. */
const REMEMBERED = 2;

/** A file that is kept in segments; holds two of them. */
export function segmentedBytes(
  { sizeBytes, segmentBytes }: { sizeBytes: number; segmentBytes: number },
  read: ReadSegment,
  signal: AbortSignal,
): FileBytes {
  const known = new Map<number, Uint8Array>();
  const segmentAt = async (segment: number) => {
    const bytes = known.get(segment) ?? (await read(segment));
    // Swept away, or its source was deleted.
    if (!bytes) throw unavailable('FILE_GONE');
    known.delete(segment);
    known.set(segment, bytes);
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED) break;
      known.delete(oldest);
    }
    return bytes;
  };
  return {
    size: sizeBytes,
    async *range(start, end) {
      for (let at = start; at < Math.min(end, sizeBytes); ) {
        signal.throwIfAborted();
        const bytes = await segmentAt(Math.floor(at / segmentBytes));
        const from = at % segmentBytes;
        const piece = bytes.subarray(from, Math.min(from + PIECE_BYTES, from + end - at));
        if (piece.length === 0) throw unavailable('FILE_GONE');
        yield piece;
        at += piece.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
