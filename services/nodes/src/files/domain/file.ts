/** See docs/reference/limits.md. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** Size of the bytes in one call, and in one object. */
export const SEGMENT_BYTES = 512 * 1024;
const MAX_FILE_NAME = 255;

/** Number of segments of a file. */
export const segmentsOf = (sizeBytes: number, segmentBytes: number): number => Math.ceil(sizeBytes / segmentBytes);

/** The last part of a path that a client gave, without what would break out of a header or a disk. */
export function fileNameOf(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  return [...last.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim()].slice(0, MAX_FILE_NAME).join('');
}
