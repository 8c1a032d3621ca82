import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { installedTools } from './installed.ts';

const run = promisify(execFile);

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'catchment-tools-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Makes a folder that names a tool, which says its version. */
async function tool(version: string): Promise<{ archive: string }> {
  const source = path.join(home, 'source/package');
  await mkdir(source, { recursive: true });
  await writeFile(path.join(source, 'says.js'), `#!/usr/bin/env node\nconsole.log('${version}')`);
  const bin = { says: 'says.js' };
  await writeFile(path.join(source, 'package.json'), JSON.stringify({ name: 'says', version, bin }));
  const archive = path.join(home, `says-${version}.tgz`);
  await run('tar', ['-czf', archive, '-C', path.dirname(source), 'package']);
  const integrity = `sha512-${hash('sha512', await readFile(archive), 'base64')}`;
  const manifest = { name: 'tool', dependencies: { says: `file:${archive}` } };
  const packages = { '': manifest, 'node_modules/says': { version, resolved: `file:${archive}`, integrity, bin } };
  await mkdir(path.join(home, 'tool'), { recursive: true });
  await writeFile(path.join(home, 'tool/package.json'), JSON.stringify(manifest));
  await writeFile(
    path.join(home, 'tool/package-lock.json'),
    JSON.stringify({ name: 'tool', lockfileVersion: 3, requires: true, packages }),
  );
  return { archive };
}

const says = async () => (await run(path.join(await installedTools('tool', home), 'says'))).stdout.trim();
const kept = () => readdir(path.join(home, 'tool/.installed'));

test('a tool is installed by whoever needs it first, and is there from then on', async () => {
  const { archive } = await tool('1.0.0');
  expect(await Promise.all([says(), says()])).toEqual(['1.0.0', '1.0.0']);
  await rm(archive);
  expect(await says()).toBe('1.0.0');
  expect(await kept()).toHaveLength(1);
});

test('another lock brings another tool in its place', async () => {
  await tool('1.0.0');
  expect(await says()).toBe('1.0.0');
  await tool('2.0.0');
  expect(await says()).toBe('2.0.0');
  expect(await kept()).toHaveLength(1);
});

test('a tool that cannot be installed is an error that names its folder, and leaves nothing', async () => {
  const { archive } = await tool('1.0.0');
  await writeFile(archive, 'something else');
  await expect(installedTools('tool', home)).rejects.toThrow(`npm ci in ${path.join(home, 'tool')} failed`);
  expect(await kept()).toEqual([]);
});
