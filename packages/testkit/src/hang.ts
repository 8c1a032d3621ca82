import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns a process and its children, such as PostgreSQL's. */
async function family(pid: number): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
  return [pid, ...stdout.split('\n').filter(Boolean).map(Number)];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Stops a process with its children: it is there, and answers nobody. @returns lets it go on */
export async function hang(pid: number): Promise<() => Promise<void>> {
  signal([pid], 'SIGSTOP');
  const all = await family(pid);
  signal(all, 'SIGSTOP');
  return async () => signal(all.toReversed(), 'SIGCONT');
}
