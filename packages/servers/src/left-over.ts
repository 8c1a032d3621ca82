import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { identityOf } from './process-identity.ts';

const run = promisify(execFile);
const STOP_LIMIT_MS = 20_000;

type RunningRecord = {
  pid: number;
  ownerPid: number;
  mark: string;
  /** Absent in notes of earlier versions: then the mark alone decides. */
  identity?: string;
};

/** Notes a started process, so that a later start can stop it should this one die without doing so. */
export async function recordRunning(folder: string, pid: number, mark: string): Promise<void> {
  const identity = await identityOf(pid);
  const record: RunningRecord = { pid, ownerPid: process.pid, mark, ...(identity !== undefined && { identity }) };
  await writeFile(recordPath(folder), JSON.stringify(record), { mode: 0o600 });
}

/** Forgets the note of `recordRunning`. */
export async function forgetRunning(folder: string): Promise<void> {
  await rm(recordPath(folder), { force: true });
}

/**
 * Stops a server that an earlier run left behind. It is ours only when the process is the one that was recorded, and still carries `mark` (a
 * path under our folder) in its command line: pids are used again for other programs.
 * @throws Error when the run that started it is still alive: two would share one folder
 */
export async function stopLeftOver(folder: string, log: (line: string) => void): Promise<void> {
  const record = await readRecord(folder);
  if (record === undefined) return;
  const found = await ours(record);
  if (found) {
    if (found.parentPid === record.ownerPid && record.ownerPid > 1) {
      throw new Error(`${folder} is in use by another run (process ${record.ownerPid}); stop that one first`);
    }
    log(`stopping process ${record.pid}, left behind by an earlier run`);
    await terminate(record);
  }
  await forgetRunning(folder);
}

async function terminate(record: RunningRecord): Promise<void> {
  const isAlive = async () => (await ours(record)) !== undefined;
  const deadline = Date.now() + STOP_LIMIT_MS;
  signal(record.pid, 'SIGTERM');
  while ((await isAlive()) && Date.now() < deadline) await delay(50);
  if (!(await isAlive())) return;
  signal(record.pid, 'SIGKILL');
  while (await isAlive()) await delay(50);
}

/** Returns the recorded process while it runs. One that ended but was not reaped keeps its pid; its command line is gone. */
async function ours({ pid, mark, identity }: RunningRecord) {
  if (identity !== undefined && (await identityOf(pid)) !== identity) return undefined;
  const found = await inspect(pid);
  return found?.command.includes(mark) ? found : undefined;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // gone meanwhile
  }
}

async function inspect(pid: number): Promise<{ parentPid: number; command: string } | undefined> {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'ppid=,args=', '-p', String(pid)], { timeout: 5_000 });
    const [, parentPid, command] = /^\s*(\d+)\s+(.*)$/s.exec(stdout) ?? [];
    return command === undefined ? undefined : { parentPid: Number(parentPid), command };
  } catch {
    return inspectProc(pid);
  }
}

/** Small images have no `ps`. */
async function inspectProc(pid: number): Promise<{ parentPid: number; command: string } | undefined> {
  try {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return { parentPid: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), command };
  } catch {
    return undefined;
  }
}

async function readRecord(folder: string): Promise<RunningRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(recordPath(folder), 'utf8')) as RunningRecord;
    return Number.isInteger(record.pid) && record.pid > 1 && record.mark ? record : undefined;
  } catch {
    return undefined;
  }
}

function recordPath(folder: string): string {
  return path.join(folder, 'running.json');
}
