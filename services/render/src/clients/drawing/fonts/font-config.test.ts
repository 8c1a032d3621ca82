import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sweepHomes } from '../../report/chromium/report-fonts.ts';
import { fontsOf } from './font-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonts-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('starts that never end in order leave one folder, and read one configuration', async () => {
  const starts = Array.from({ length: 5 }, () => fontsOf(['/fonts/a/a.ttf'], ['A'], folder));
  const paths = new Set(await Promise.all(starts));
  expect([paths.size, await readdir(folder)]).toEqual([
    1,
    [expect.stringMatching(/^catchment-fonts-\d+-[0-9a-f]{16}$/)],
  ]);
  const [path = ''] = paths;
  expect(await readFile(path, 'utf8')).toContain('<dir>/fonts/a</dir>');
  expect([await readdir(dirname(path)), (await stat(dirname(path))).mode & 0o777]).toEqual([['fonts.conf'], 0o700]);
});

test('other fonts have a folder of their own', async () => {
  const paths = [await fontsOf(['/fonts/a/a.ttf'], ['A'], folder), await fontsOf(['/fonts/b/b.ttf'], ['A'], folder)];
  expect(new Set(paths).size).toBe(2);
});

test('a folder that others may write to is left alone', async () => {
  const first = await fontsOf(['/fonts/a/a.ttf'], ['A'], folder);
  await chmod(dirname(first), 0o777);
  expect(dirname(await fontsOf(['/fonts/a/a.ttf'], ['A'], folder))).not.toBe(dirname(first));
});

test('what killed processes have left is removed, and what running ones have stays', async () => {
  const parent = process.ppid;
  // Ids end far below.
  for (const name of [
    'catchment-browser-4194999-a',
    `catchment-browser-${process.pid}-b`,
    `catchment-browser-${parent}-c`,
    'other',
  ])
    await mkdir(join(folder, name));
  await sweepHomes(folder);
  expect((await readdir(folder)).sort()).toEqual([`catchment-browser-${parent}-c`, 'other']);
});
