import { unavailable } from '@catchment/errors';

/** Bytes can be read from anywhere, and again. */
export interface FileBytes {
  readonly size: number;
  /** Reads from a byte up to another one, which is not included. It reads in pieces, with other work of the process in between. */
  range(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Returns bytes of a stored file, none of another segment. @returns undefined when they are gone */
type ReadPiece = (segment: number, from: number, length: number) => Promise<Uint8Array | undefined>;

/** Small enough to be gone, once it was read, before anybody takes it for something lasting; so are the rows that are in it. */
export const PIECE_BYTES = 16 * 1024;

/** Reads a file that is kept in segments, each of this many whole pieces. Holds the last piece: directories are read in small bits. */
export function storedBytes(
  { sizeBytes, segmentBytes }: { sizeBytes: number; segmentBytes: number },
  read: ReadPiece,
  signal: AbortSignal,
): FileBytes {
  let last: { start: number; bytes: Uint8Array } | undefined;
  const pieceAt = async (at: number): Promise<Uint8Array> => {
    const start = at - (at % PIECE_BYTES);
    if (last?.start === start) return last.bytes;
    const length = Math.min(PIECE_BYTES, sizeBytes - start);
    const bytes = await read(Math.floor(start / segmentBytes), start % segmentBytes, length);
    // Swept away, or its source was deleted.
    if (bytes?.length !== length) throw unavailable('FILE_GONE');
    last = { start, bytes };
    return bytes;
  };
  return {
    size: sizeBytes,
    async *range(start, end) {
      for (let at = start; at < Math.min(end, sizeBytes); ) {
        signal.throwIfAborted();
        const bytes = await pieceAt(at);
        const from = at % PIECE_BYTES;
        const piece = bytes.subarray(from, from + end - at);
        yield piece;
        at += piece.length;
      }
    },
  };
}
