/** Bytes as they come, in segments of one size, the last of them shorter: files are sent and stored so (`FilesService`). */
export async function* inSegments(bytes: AsyncIterable<Uint8Array>, segmentBytes: number): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + segmentBytes - size);
      pieces.push(part);
      size += part.length;
      from += part.length;
      if (size < segmentBytes) continue;
      yield Buffer.concat(pieces);
      pieces = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(pieces);
}
