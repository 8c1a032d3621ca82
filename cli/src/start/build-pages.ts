import { execFile } from 'node:child_process';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './paths.ts';

const WEB = path.join(ROOT, 'web');
const DIST = path.join(WEB, 'dist');
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js');
const SOURCES = ['web/src', 'web/build', 'packages/dashboard-view/src', 'sdk/typescript/src'];

/** Builds the pages in the browser, unless they are as new as their sources. An installation without sources has them built. */
export async function buildPages(say: (line: string) => void): Promise<void> {
  const newest = await newestOf(SOURCES);
  if (newest === undefined || (await changedMs(path.join(DIST, '.vite/manifest.json'))) >= newest) return;
  // Several installations may start at once: each builds beside, and the last one counts.
  const folder = path.join(WEB, `.dist-${process.pid}`);
  try {
    // The pages are the same whatever starts the product, a test too.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, [VITE, 'build', '--outDir', folder], { cwd: WEB, env });
    await rm(DIST, { recursive: true, force: true });
    await rename(folder, DIST).catch(ignoringOther);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  say('Pages of the browser built');
}

/** @returns undefined: there are no sources */
async function newestOf(folders: readonly string[]): Promise<number | undefined> {
  const files = await Promise.all(folders.map((folder) => filesOf(path.join(ROOT, folder), true)));
  if (files.every(({ length }) => length === 0)) return undefined;
  const settings = (await filesOf(WEB, false)).filter((name) => /\.(ts|json)$/.test(name));
  const times = await Promise.all([...files.flat(), ...settings].map(changedMs));
  return times.reduce((newest, ms) => Math.max(newest, ms), 0);
}

const filesOf = async (folder: string, recursive: boolean): Promise<string[]> =>
  (await readdir(folder, { recursive }).catch(() => [])).map((name) => path.join(folder, name));

const changedMs = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

function ignoringOther(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}
