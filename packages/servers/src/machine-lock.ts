import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';

/**
 * Holds a lock that one process of this account at a time can have; waits for it. The kernel frees it should we die.
 * @throws Error where there is no `flock` (package util-linux, which every Debian and Ubuntu has)
 */
export async function holdMachineLock(name: string): Promise<AsyncDisposable> {
  const file = path.join(os.tmpdir(), `${name}-${process.getuid?.() ?? 0}.lock`);
  const holder = spawn('flock', [file, 'sh', '-c', 'echo held; cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(holder, 'close');
  const [first] = await Promise.race([once(holder.stdout, 'data'), ended]);
  if (!Buffer.isBuffer(first)) throw new Error(`cannot lock ${file}: flock ended`);
  return {
    [Symbol.asyncDispose]: async () => {
      holder.stdin.end(); // cat ends, and flock with it
      await ended;
    },
  };
}
