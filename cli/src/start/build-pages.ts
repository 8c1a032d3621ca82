import { execFile } from 'node:child_process';
import { glob, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './service-table.ts';

const WEB = path.join(ROOT, 'web');
const DIST = path.join(WEB, 'dist');
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js');
const SOURCES = ['web/src/**/*', 'web/*.{ts,json}', 'packages/dashboard-view/src/**/*'];

/** Builds the pages in the browser, unless they are as new as their sources. An installation without sources has them built. */
export async function buildPages(say: (line: string) => void): Promise<void> {
  const newest = await newestOf(SOURCES);
  if (newest === undefined || (await changedMs(path.join(DIST, '.vite/manifest.json'))) >= newest) return;
  // Several installations may start at once: each builds beside, and the last one counts.
  const own = path.join(WEB, `.dist-${process.pid}`);
  try {
    await promisify(execFile)(process.execPath, [VITE, 'build', '--outDir', own], { cwd: WEB });
    await rm(DIST, { recursive: true, force: true });
    await rename(own, DIST).catch(ignoringOther);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  say('Pages of the browser built');
}

async function newestOf(patterns: readonly string[]): Promise<number | undefined> {
  let newest: number | undefined;
  for await (const file of glob([...patterns], { cwd: ROOT })) {
    const ms = await changedMs(path.join(ROOT, file));
    newest = Math.max(newest ?? ms, ms);
  }
  return newest;
}

const changedMs = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

function ignoringOther(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}
