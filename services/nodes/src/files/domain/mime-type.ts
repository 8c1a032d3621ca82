import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime';

const UNKNOWN = 'application/octet-stream';
/** These contain many kinds of documents: the extension of the file decides. */
const CONTAINERS: ReadonlySet<string> = new Set(['application/zip', 'application/xml', 'application/x-cfb']);
/** Files that have a preview (docs/reference/attachments.md#previews). */
const PREVIEWED: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/tiff',
  'application/pdf',
]);

/**
 * Finds the media type of a file by its content, then by the extension of its name (docs/reference/node-tree.md#attributes-of-classes).
 * @param start its first bytes
 */
export async function mimeTypeOf(start: Uint8Array, fileName: string): Promise<string> {
  const seen = await sniff(start);
  const named = mime.getType(fileName) ?? undefined;
  return (seen !== undefined && CONTAINERS.has(seen) ? (named ?? seen) : (seen ?? named)) ?? UNKNOWN;
}

/** Returns whether bytes begin as a picture or document does that can have a preview. */
export async function mayHavePreview(start: Uint8Array): Promise<boolean> {
  return PREVIEWED.has((await sniff(start)) ?? '');
}

/** Broken bytes are of no known type. */
const sniff = (start: Uint8Array): Promise<string | undefined> =>
  fileTypeFromBuffer(start).then(
    (found) => found?.mime,
    () => undefined,
  );
