import { opened } from './draw-preview.ts';
import { loadSharp } from './load-sharp.ts';

export type FittedPicture = {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
};

const LIMIT_SECONDS = 20;

/**
 * Returns a picture of people for a document: decoded and written anew, so that nothing of its bytes comes through, and no larger than so
 * many pixels.
 * @returns undefined for bytes that cannot be decoded
 */
export async function fitPicture(
  bytes: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<FittedPicture | undefined> {
  await loadSharp();
  try {
    const picture = await opened(bytes);
    if (!picture) return undefined;
    const small = picture
      .timeout({ seconds: LIMIT_SECONDS })
      .resize(width, height, { fit: 'inside', withoutEnlargement: true });
    const { hasAlpha, format } = await small.metadata();
    const isPhoto = format === 'jpeg' && !hasAlpha;
    const written = isPhoto ? small.jpeg({ quality: 88 }) : small.png();
    const { data, info } = await written.toBuffer({ resolveWithObject: true });
    return {
      bytes: data,
      mediaType: isPhoto ? 'image/jpeg' : 'image/png',
      width: info.width,
      height: info.height,
    };
  } catch {
    // The bytes are people's: what cannot be decoded is no picture.
    return undefined;
  }
}
