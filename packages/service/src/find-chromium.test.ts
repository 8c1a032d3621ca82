import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './find-chromium.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-chromium-'));
  for (const name of ['empty', 'one', 'two', 'a-folder/chromium']) await mkdir(join(folder, name), { recursive: true });
  const programs = ['one/chromium', 'two/google-chrome', 'one/mine'];
  for (const name of programs) await writeFile(join(folder, name), '', { mode: 0o755 });
  await writeFile(join(folder, 'one/text'), '');
  await chmod(join(folder, 'one/text'), 0o644);
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['the first one in PATH', 'empty:one:two', '', 'one/chromium'],
  ['one of another name', 'empty:two', '', 'two/google-chrome'],
  ['none', 'empty', '', undefined],
  ['a folder of that name is none', 'a-folder', '', undefined],
  ['the one that CHROMIUM_PATH names', 'one', 'one/mine', 'one/mine'],
  ['CHROMIUM_PATH names nothing: not another one', 'one', 'one/missing', undefined],
  ['CHROMIUM_PATH names what cannot be run', 'one', 'one/text', undefined],
])('the Chromium that prints reports: %s', (_what, path, given, expected) => {
  const inFolder = (name: string) => join(folder, name);
  const found = findChromium(path.split(':').map(inFolder).join(':'), given && inFolder(given));
  expect(found).toBe(expected && inFolder(expected));
});
