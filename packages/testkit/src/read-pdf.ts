import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedCommand } from './installed-command.ts';

const run = promisify(execFile);
const MAX_TEXT_BYTES = 100 * 1024 * 1024;

export type ReadPdf = {
  /** Each page's text as set. */
  readonly pages: readonly string[];
  /** `pdfinfo` reports this, by name. */
  readonly info: Readonly<Record<string, string>>;
  /** Names of its fonts. */
  readonly fonts: readonly string[];
  /** Its bytes, a character each: objects of PDF that are not packed can be found in it. */
  readonly raw: string;
};

/** Reads a PDF with poppler. */
export const readPdf = (bytes: Uint8Array): Promise<ReadPdf> =>
  withFile(bytes, async (file) => {
    const asked = { maxBuffer: MAX_TEXT_BYTES };
    const [{ stdout: text }, { stdout: info }, { stdout: fonts }] = await Promise.all([
      run('pdftotext', ['-layout', file, '-'], asked),
      run('pdfinfo', [file], asked),
      run('pdffonts', [file], asked),
    ]);
    const fields = info.split('\n').map((line) => /^([^:]+):\s+(.*)$/.exec(line)?.slice(1) ?? ['', '']);
    return {
      pages: text.split('\f').slice(0, -1),
      info: Object.fromEntries(fields),
      fonts: fonts
        .split('\n')
        .slice(2)
        .flatMap((line) => line.split(/\s+/)[0] || []),
      raw: Buffer.from(bytes).toString('latin1'),
    };
  });

/** Returns the pages of a PDF as PNG. @param dpi pixels to the inch */
export const pdfAsPng = (bytes: Uint8Array, dpi: number): Promise<Buffer[]> =>
  withFile(bytes, async (file, folder) => {
    await run('pdftoppm', ['-r', String(dpi), '-png', file, join(folder, 'page')]);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
    return Promise.all(names.map((name) => readFile(join(folder, name))));
  });

async function withFile<T>(bytes: Uint8Array, work: (file: string, folder: string) => Promise<T>): Promise<T> {
  await installedCommand('pdftotext', 'poppler-utils');
  const folder = await mkdtemp(join(tmpdir(), 'pdf-test-'));
  try {
    const file = join(folder, 'document.pdf');
    await writeFile(file, bytes);
    return await work(file, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
