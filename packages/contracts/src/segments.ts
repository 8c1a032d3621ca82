/**
 * Yields bytes as they come, in segments of one size, the last of them shorter: files are sent and stored so (`FilesService`).
 * A piece is copied at once, so that a file in many small ones takes no more memory than one segment. A segment is not written again.
 */
export async function* inSegments(bytes: AsyncIterable<Uint8Array>, segmentBytes: number): AsyncGenerator<Buffer> {
  let segment: Buffer | undefined;
  let size = 0;
  for await (const piece of bytes) {
    for (let from = 0; from < piece.length; ) {
      segment ??= Buffer.allocUnsafeSlow(segmentBytes);
      const part = piece.subarray(from, from + segmentBytes - size);
      segment.set(part, size);
      size += part.length;
      from += part.length;
      if (size < segmentBytes) continue;
      yield segment;
      segment = undefined;
      size = 0;
    }
  }
  if (segment) yield segment.subarray(0, size);
}
