import { setFlagsFromString } from 'node:v8';
import { type PDFiumDocument, PDFiumLibrary, PDFiumModule } from '@hyzyla/pdfium';
import type { PicturedPages } from '../../usecases/report-ports.ts';
import { loadSharp } from './load-sharp.ts';

/** PDFium may take so much memory: 256 MiB beside the file (pages of 64 KiB). */
const MAX_WASM_PAGES = 4096;

/** It would write to the log what it thinks of a file. */
const SILENT = { print: () => undefined, printErr: () => undefined };

type Size = { readonly width: number; readonly height: number };
type PagePixels = { readonly width: number; readonly height: number; readonly rgba: Uint8Array };

/** Opens a document for as long as `work` takes. @throws Error the bytes are no PDF, need a password, or take too much memory */
async function withDocument<T>(bytes: Uint8Array, work: (document: PDFiumDocument) => Promise<T>): Promise<T> {
  setFlagsFromString(`--wasm-max-mem-pages=${MAX_WASM_PAGES}`);
  const library = await PDFiumLibrary.initBase({ vendor: (options) => PDFiumModule({ ...options, ...SILENT }) });
  try {
    return await work(await library.loadDocument(bytes));
  } finally {
    library.destroy();
  }
}

async function drawn(document: PDFiumDocument, index: number, scaleOf: (size: Size) => number): Promise<PagePixels> {
  const page = document.getPage(index);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = scaleOf({ width: originalWidth, height: originalHeight });
  const pixels = (points: number) => Math.max(1, Math.round(points * scale));
  const size = { width: pixels(originalWidth), height: pixels(originalHeight) };
  const { data, width, height } = await page.render({ ...size, render: 'bitmap' });
  return { width, height, rgba: data };
}

/**
 * Draws the first page of a PDF, not larger than `side` pixels on its longest side; undefined without pages.
 * PDFium runs as WebAssembly: a hostile file reaches no memory but its own, which ends with the call.
 * @throws Error the bytes are no PDF, need a password, or take too much memory
 */
export const drawPdfPage = (bytes: Uint8Array, side: number): Promise<PagePixels | undefined> =>
  withDocument(bytes, async (document) =>
    document.getPageCount() === 0
      ? undefined
      : drawn(document, 0, ({ width, height }) => Math.min(1, side / Math.max(width, height))),
  );

/** A page that is drawn by its width has this longest side: a long narrow one is drawn smaller. */
const MAX_SIDE_PIXELS = 4_000;

export type PagesTask = { readonly first: number; readonly count: number; readonly width: number };

/** Draws some pages of a PDF as PNG, and counts all of them. @throws Error the bytes are no PDF, or take too much memory */
export const drawPdfPages = (bytes: Uint8Array, { first, count, width }: PagesTask): Promise<PicturedPages> =>
  withDocument(bytes, async (document) => {
    const sharp = await loadSharp();
    const all = document.getPageCount();
    const pages: PicturedPages['pages'][number][] = [];
    for (let page = first; page < first + count && page <= all; page += 1) {
      const scaleOf = (size: Size) => Math.min(width / size.width, MAX_SIDE_PIXELS / size.height);
      const pixels = await drawn(document, page - 1, scaleOf);
      const raw = { width: pixels.width, height: pixels.height, channels: 4 } as const;
      const png = await sharp(pixels.rgba, { raw }).flatten({ background: '#ffffff' }).png().toBuffer();
      pages.push({ png, width: pixels.width, height: pixels.height });
    }
    return { count: all, pages };
  });
