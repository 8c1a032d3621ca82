import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** This volume in memory can be full. */
export type SmallVolume = {
  readonly folder: string;
  /** Takes all that is left of it, also what comes free meanwhile. @returns gives it back */
  fill(): Promise<() => Promise<void>>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** @returns undefined where this account may not mount */
export async function smallVolume(mebibytes: number): Promise<SmallVolume | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'catchment-volume-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0711`, 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
  // PostgreSQL, which has an account of its own, passes through it.
  await chmod(folder, 0o711);
  const filled: (() => Promise<void>)[] = [];
  return {
    folder,
    fill: async () => {
      const free = await fill(folder);
      filled.push(free);
      return free;
    },
    [Symbol.asyncDispose]: async () => {
      // A test that failed has not given it back.
      for (const free of filled) await free();
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true });
    },
  };
}

async function fill(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, 'ballast');
  const handle = await open(file, 'w');
  const piece = Buffer.alloc(64 * 1_024, 1);
  let isWanted = true;
  const take = async () => {
    while (isWanted && (await statfs(folder)).bavail > 0) await handle.write(piece).catch(() => undefined);
  };
  await take();
  let taking = Promise.resolve();
  const timer = setInterval(() => {
    taking = taking.then(take);
  }, 50);
  return async () => {
    if (!isWanted) return;
    isWanted = false;
    clearInterval(timer);
    await taking;
    await handle.close();
    await rm(file);
  };
}
