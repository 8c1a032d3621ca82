import { parse, View, Warn } from 'vega';
import type { Picture } from '../../domain/chart.ts';
import { buildPicture } from './build-picture.ts';
import { FONT_FAMILY, FONT_FILES } from './fonts/text-width.ts';

/** Skia, loaded on first need: most processes draw no PDF. It is given the packaged fonts, and does not list those of the machine. */
async function loadSkia() {
  process.env.DISABLE_SYSTEM_FONTS_LOAD = '1';
  const { GlobalFonts, PDFDocument } = await import('@napi-rs/canvas');
  if (!GlobalFonts.has(FONT_FAMILY))
    for (const file of Object.values(FONT_FILES)) GlobalFonts.registerFromPath(file, FONT_FAMILY);
  return PDFDocument;
}

/**
 * The picture as a PDF of one page, a point for each of its pixels: lines are vectors, texts are texts of embedded fonts.
 * @param pixelColumns see `buildChart`
 */
export async function drawPdf(picture: Picture, pixelColumns?: number): Promise<Uint8Array> {
  const PDFDocument = await loadSkia();
  const { spec } = buildPicture(picture, pixelColumns);
  const document = new PDFDocument({ title: picture.title ?? '', creator: 'Catchment', producer: 'Catchment' });
  const page = document.beginPage(picture.width, picture.height);
  const view = new View(parse(spec), { renderer: 'none', logLevel: Warn });
  try {
    await view.toCanvas(1, { externalContext: page });
    document.endPage();
    return document.close();
  } finally {
    view.finalize();
  }
}
