/** See docs/reference/limits.md. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** One call or one object holds this many bytes. */
export const SEGMENT_BYTES = 512 * 1024;
const MAX_FILE_NAME = 255;

export const segmentsOf = (sizeBytes: number, segmentBytes: number): number => Math.ceil(sizeBytes / segmentBytes);

/** Returns the last part of a path that a client gave, without what would break out of a header or a disk. */
export function fileNameOf(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  return [...last.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim()].slice(0, MAX_FILE_NAME).join('');
}
