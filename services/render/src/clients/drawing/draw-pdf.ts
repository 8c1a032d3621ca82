import { parse, View, Warn } from 'vega';
import type { Picture } from '../../domain/chart.ts';
import { buildPicture } from './build-picture.ts';
import { SCRIPT_FONTS } from './fonts/script-fonts.ts';
import { FONT_FAMILY, FONT_FILES, FONT_STACK } from './fonts/text-width.ts';

/** Skia, loaded on first need: most processes draw no PDF. It is given the packaged fonts, and does not list those of the machine. */
async function loadSkia() {
  process.env.DISABLE_SYSTEM_FONTS_LOAD = '1';
  const { GlobalFonts, PDFDocument } = await import('@napi-rs/canvas');
  if (!GlobalFonts.has(FONT_FAMILY)) {
    for (const file of Object.values(FONT_FILES)) GlobalFonts.registerFromPath(file, FONT_FAMILY);
    for (const { file, family } of SCRIPT_FONTS) GlobalFonts.registerFromPath(file, family);
  }
  return PDFDocument;
}

/** Skia looks for a missing letter in the fonts that are named, and joins letters across them only then. */
const ALL_FONTS = [FONT_FAMILY, ...SCRIPT_FONTS.map(({ family }) => family)].map((family) => `"${family}"`).join(', ');

/** Lets a page understand the fonts of a chart as all packaged ones. */
function withAllFonts<Page extends { font: string }>(page: Page): Page {
  const { get, set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(page), 'font') as Required<
    Pick<PropertyDescriptor, 'get' | 'set'>
  >;
  return Object.defineProperty(page, 'font', {
    get,
    set(font: string) {
      set.call(this, font.replace(FONT_STACK, ALL_FONTS));
    },
  });
}

/**
 * Draws the picture as a PDF of one page, a point for each of its pixels: lines are vectors, texts are texts of embedded fonts.
 * @param pixelColumns see `buildChart`
 */
export async function drawPdf(picture: Picture, pixelColumns?: number): Promise<Uint8Array> {
  const PDFDocument = await loadSkia();
  const { spec } = buildPicture(picture, pixelColumns);
  const document = new PDFDocument({ title: picture.title ?? '', creator: 'Catchment', producer: 'Catchment' });
  const page = withAllFonts(document.beginPage(picture.width, picture.height));
  const view = new View(parse(spec), { renderer: 'none', logLevel: Warn });
  try {
    await view.toCanvas(1, { externalContext: page });
    document.endPage();
    return document.close();
  } finally {
    view.finalize();
  }
}
