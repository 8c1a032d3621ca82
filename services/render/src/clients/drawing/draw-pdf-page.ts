import { setFlagsFromString } from 'node:v8';
import { PDFiumLibrary, PDFiumModule } from '@hyzyla/pdfium';

/** What PDFium may take of memory: 256 MiB beside the file (pages of 64 KiB). */
const MAX_WASM_PAGES = 4096;

/** It would write to the log what it thinks of a file. */
const SILENT = { print: () => undefined, printErr: () => undefined };

type PagePixels = { readonly width: number; readonly height: number; readonly rgba: Uint8Array };

/**
 * The first page of a PDF, not larger than `side` pixels on its longest side; undefined without pages.
 * PDFium runs as WebAssembly: a hostile file reaches no memory but its own, which ends with the call.
 * @throws Error the bytes are no PDF, need a password, or take too much memory
 */
export async function drawPdfPage(bytes: Uint8Array, side: number): Promise<PagePixels | undefined> {
  setFlagsFromString(`--wasm-max-mem-pages=${MAX_WASM_PAGES}`);
  const library = await PDFiumLibrary.initBase({ vendor: (options) => PDFiumModule({ ...options, ...SILENT }) });
  try {
    const document = await library.loadDocument(bytes);
    if (document.getPageCount() === 0) return undefined;
    const page = document.getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = Math.min(1, side / Math.max(originalWidth, originalHeight));
    const pixels = (points: number) => Math.max(1, Math.round(points * scale));
    const size = { width: pixels(originalWidth), height: pixels(originalHeight) };
    const { data, width, height } = await page.render({ ...size, render: 'bitmap' });
    return { width, height, rgba: data };
  } finally {
    library.destroy();
  }
}
