// `npm run fonts -w services/render`: takes the fonts of fonts.json, and their licences, out of their packages again. A package has up to 18
// weights and styles, of which one to four are drawn: installed, all of them would be nine times as large.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FONTS, fileOf, licenceFileOf, type PackagedFont } from './fonts.ts';

const run = promisify(execFile);

async function fetchFont(font: PackagedFont): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'catchment-font-'));
  try {
    const spec = `${font.package}@${font.version}`;
    const { stdout } = await run('npm', ['pack', spec, '--json', '--pack-destination', folder]);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const archive = path.join(folder, filename);
    const integrity = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`;
    if (integrity !== font.integrity) throw new Error(`${spec} has the digest ${integrity}, not that of fonts.json`);
    await run('tar', ['-xzf', archive, '-C', folder]);
    const take = async (from: string, to: string): Promise<void> => {
      await mkdir(path.dirname(to), { recursive: true });
      await copyFile(path.join(folder, 'package', from), to);
    };
    for (const style of font.styles) await take(`${style}/${path.basename(fileOf(font, style))}`, fileOf(font, style));
    await take('LICENSE_FONT', licenceFileOf(font));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (const folder of ['pictures', 'reports', 'licences'])
  await rm(path.join(import.meta.dirname, folder), { recursive: true, force: true });
for (const font of FONTS) await fetchFont(font);
