import type { Sharp } from 'sharp';
import type { Picture } from '../../domain/chart.ts';
import type { ImageFormat } from '../../domain/image-format.ts';
import type { ImageRequest } from '../../usecases/ports.ts';
import { drawPdf } from './draw-pdf.ts';
import { drawSvg } from './draw-svg.ts';
import { loadSharp } from './load-sharp.ts';

/** One picture. */
export async function drawImage({ chart, format, scale }: ImageRequest): Promise<Uint8Array> {
  if (format === 'SVG') return new TextEncoder().encode(await drawSvg(chart, vectorColumns(chart)));
  if (format === 'PDF') return drawPdf(chart, vectorColumns(chart));
  const width = Math.round(chart.width * scale);
  const height = Math.round(chart.height * scale);
  const svg = Buffer.from(await drawSvg(chart, width, PIECE_VERTICES));
  const sharp = await loadSharp();
  // librsvg draws one pixel of the SVG as one pixel at 72 dpi. Charts have a background, so nothing shines through.
  const picture = sharp(svg, { density: 72 * scale, unlimited: true })
    .resize(width, height, { fit: 'fill' })
    .removeAlpha();
  return ENCODERS[format](picture).toBuffer();
}

/**
 * librsvg makes one outline of a stroke, which takes half a second for a line that goes up and down in each pixel column, and 60 ms for
 * the same in pieces.
 */
const PIECE_VERTICES = 100;

const ENCODERS: Readonly<Record<Exclude<ImageFormat, 'SVG' | 'PDF'>, (picture: Sharp) => Sharp>> = {
  // Level 6 takes twice the time for a tenth less.
  PNG: (picture) => picture.png({ compressionLevel: 3 }),
  // An optimised Huffman code is known at the end of the picture only: to find it all of it is held, 12 bytes a pixel.
  JPG: (picture) => picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false }),
};

/** An SVG or PDF has a vertex per record up to this many; beyond, only what can be seen at four times its size. */
const MAX_VERTICES = 100_000;

const vectorColumns = (picture: Picture): number | undefined =>
  picture.kind === 'TIME' && picture.series.reduce((sum, { timestamps }) => sum + timestamps.length, 0) > MAX_VERTICES
    ? picture.width * 4
    : undefined;
