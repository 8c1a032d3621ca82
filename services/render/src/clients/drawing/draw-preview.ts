import { decode } from 'bmp-ts';
import type { Sharp } from 'sharp';
import { MAX_HELD_PIXELS } from '../../domain/drawing-cost.ts';
import { pictureFormatOf } from '../../domain/picture.ts';
import { drawPdfPage } from './draw-pdf-page.ts';
import { loadSharp } from './load-sharp.ts';

/** A preview's longest side (docs/reference/attachments.md#previews). */
const MAX_SIDE_PIXELS = 480;
/** A small file may say that it is enormous; sharp has a limit of its own, of 2^28 pixels, which it does not hold in memory. */
const MAX_BMP_PIXELS = 40_000_000;
const LIMIT_SECONDS = 20;

/** Draws the preview of a picture or of the first page of a PDF, a JPEG; empty when the bytes are neither, or cannot be decoded. */
export async function drawPreview(bytes: Uint8Array): Promise<Uint8Array> {
  // A decoder that cannot be loaded is a fault, and thrown.
  await loadSharp();
  try {
    const picture = await opened(bytes);
    if (!picture) return new Uint8Array(0);
    return await picture
      .timeout({ seconds: LIMIT_SECONDS })
      .resize(MAX_SIDE_PIXELS, MAX_SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 82 })
      .toBuffer();
  } catch {
    // The bytes are people's: what cannot be decoded is no fault of ours, and the page shows no preview.
    return new Uint8Array(0);
  }
}

/** Opens the picture, of a format that has previews. */
export async function opened(bytes: Uint8Array): Promise<Sharp | undefined> {
  const format = pictureFormatOf(bytes);
  if (format === undefined) return undefined;
  const sharp = await loadSharp();
  if (format === 'pdf') {
    const page = await drawPdfPage(bytes, MAX_SIDE_PIXELS);
    return page && sharp(page.rgba, { raw: { width: page.width, height: page.height, channels: 4 } });
  }
  if (format !== 'bmp') {
    const picture = sharp(bytes, { failOn: 'error', sequentialRead: true });
    const { width, height, isProgressive } = await picture.metadata();
    const isHeld = isProgressive || format === 'gif' || format === 'webp';
    if (isHeld && width * height > MAX_HELD_PIXELS) return undefined;
    // Cameras say how they were held.
    return picture.autoOrient();
  }
  const { data, width, height } = bitmap(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** sharp's own builds do not read BMP. */
function bitmap(bytes: Buffer) {
  const [wide, high] = [bytes.readInt32LE(18), bytes.readInt32LE(22)].map(Math.abs) as [number, number];
  if (wide * high > MAX_BMP_PIXELS) throw new Error('the bitmap is too large');
  const image = decode(bytes, { toRGBA: true });
  // Bits that mean nothing in most files; those who write them often leave them at "transparent".
  for (let alpha = 3; alpha < image.data.length; alpha += 4) image.data[alpha] = 255;
  return { data: image.data, width: image.width, height: Math.abs(image.height) };
}
