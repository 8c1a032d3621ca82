import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns what distinguishes a process from another one that gets its id after its end, also after the machine was
 * started anew.
 * @returns undefined: there is no such process
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name may have blanks. The state stands after it, and the 22nd field says when the process began.
    const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${fields[18]}`;
  } catch {
    return startedBy(pid);
  }
}

/** Asks `ps` where there is no /proc. */
async function startedBy(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], {
      timeout: 5_000,
      env: { ...process.env, LC_ALL: 'C' },
    });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
