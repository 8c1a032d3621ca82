import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@catchment/telemetry';
import { InstalledChromium } from './installed-chromium.ts';

const OPTIONS = {
  hasSandbox: false,
  warmPages: 0,
  idleMs: 1_000,
  maxReports: 1,
  log: createLogger('test', { level: 'silent' }),
};

test.each([
  ['PATH', ''],
  ['CHROMIUM_PATH', 'one/chromium'],
])('a Chromium that is installed later is found by %s, one that is removed is not used', async (_by, given) => {
  const folder = await mkdtemp(join(tmpdir(), 'installed-chromium-'));
  const [first, second] = ['one', 'two'].map((name) => join(folder, name)) as [string, string];
  await Promise.all([mkdir(first), mkdir(second)]);
  const chromiumPath = given && join(folder, given);
  const installed = new InstalledChromium({ chromiumPath, searchPath: `${first}:${second}` }, OPTIONS);
  expect(installed.find()).toBeUndefined();
  await writeFile(join(first, 'chromium'), '', { mode: 0o755 });
  const found = installed.find();
  expect(found).toBeDefined();
  expect(installed.find()).toBe(found);
  await rename(join(first, 'chromium'), join(second, 'chromium'));
  const moved = installed.find();
  expect(moved).not.toBe(found);
  expect(moved === undefined).toBe(given !== '');
  await rm(join(second, 'chromium'));
  expect(installed.find()).toBeUndefined();
  await installed.close();
  await rm(folder, { recursive: true });
});
