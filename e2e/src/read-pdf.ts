import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The text of each page of a PDF, as poppler reads it. */
export async function pdfPages(bytes: Uint8Array): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'report-'));
  try {
    const file = path.join(folder, 'report.pdf');
    await writeFile(file, bytes);
    const { stdout } = await run('pdftotext', ['-layout', file, '-'], { maxBuffer: 1e8 });
    return stdout.split('\f').slice(0, -1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
