import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** A tool's folder is installed from these: exact versions with their digests. */
const MANIFESTS = ['package.json', 'package-lock.json'];

/**
 * Returns the binaries of the tools that a folder beside this file names. They are no part of `npm ci`: who first needs them installs them,
 * and they stay until the lock of the folder names others.
 * @returns the folder with the binaries
 * @throws Error they are not there and cannot be installed
 */
export async function installedTools(name: string, home: string = import.meta.dirname): Promise<string> {
  const source = path.join(home, name);
  const lock = await readFile(path.join(source, 'package-lock.json'));
  const kept = path.join(source, '.installed');
  const place = path.join(kept, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (!existsSync(place)) await installOnce(source, kept, place);
  return path.join(place, 'node_modules/.bin');
}

/** This process installs these at the moment, by place: checks that run side by side wait for one installation. */
const installing = new Map<string, Promise<void>>();

function installOnce(source: string, kept: string, place: string): Promise<void> {
  const started = installing.get(place) ?? install(source, kept, place).finally(() => installing.delete(place));
  installing.set(place, started);
  return started;
}

async function install(source: string, kept: string, place: string): Promise<void> {
  const before = existsSync(kept) ? await readdir(kept) : [];
  await mkdir(kept, { recursive: true });
  const folder = await mkdtemp(path.join(kept, 'new-'));
  try {
    for (const file of MANIFESTS) await cp(path.join(source, file), path.join(folder, file));
    await npmCi(folder);
    // Another process may have needed them at the same time; whichever is first has installed them for both.
    await rename(folder, place).catch((error) => {
      if (!existsSync(place)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const others = before.filter((folder) => folder !== path.basename(place) && !folder.startsWith('new-'));
  for (const old of others) await rm(path.join(kept, old), { recursive: true, force: true });
}

/** An npm that has stopped for good, as was seen once, is ended after this time and tried again. */
const LONGEST_MS = 180_000;

/**
 * Installs without scripts: binaries come as packages of their systems. First without questions about what npm's cache knows, which may be
 * older than the lock.
 */
async function npmCi(folder: string): Promise<void> {
  const command = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const ran = promisify(execFile);
  const options = { cwd: folder, timeout: LONGEST_MS, killSignal: 'SIGKILL' } as const;
  try {
    await ran('npm', [...command, '--prefer-offline'], options).catch(() => ran('npm', command, options));
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(
      `npm ci in ${path.dirname(path.dirname(folder))} failed, is the package registry reached?\n${stderr}`,
    );
  }
}
