import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { forgetRunning, recordRunning } from './left-over.ts';
import { tailOf } from './log-tail.ts';

const STOP_LIMIT_MS = 20_000;
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find((candidate) => existsSync(candidate));

export type ProcessPlan = {
  /** Messages name the server so: `PostgreSQL`, `NATS`, `InfluxDB`. */
  name: string;
  program: string;
  arguments: string[];
  /** Added to the environment of this process. */
  environment?: Readonly<Record<string, string>>;
  /** Linux account to run as, when this process is root and the server refuses to be. */
  runAs?: string;
  stopSignal: NodeJS.Signals;
  /** Containers: kills what the program stands for, since SIGKILL cannot be passed on. */
  killFirst?: () => Promise<void>;
  /** The note of the running process goes here; its command line must contain the mark to be recognised. */
  folder: string;
  mark: string;
  logFile: string;
  /** Really talks to the server; throws while it is not ready. */
  check: () => Promise<void>;
  readyLimitMs: number;
};

export type ServerProcess = {
  readonly pid: number;
  hasExited: () => boolean;
  /** SIGKILL, as a crash would; resolves when the process is gone. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
};

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL'); // where there is no setpriv to do it
});

/**
 * Starts a server and waits until it answers.
 * @throws Error with the end of its log when it exits or is not ready in time; the process is gone then
 */
export async function startProcess(plan: ProcessPlan): Promise<ServerProcess> {
  await using logFile = await open(plan.logFile, 'a', 0o600);
  const [program, args] = commandLine(plan);
  // A separate session: Ctrl-C in the terminal must reach the services first and the servers under them last.
  const child = spawn(program, args, {
    stdio: ['ignore', logFile.fd, logFile.fd],
    detached: true,
    env: { ...process.env, ...plan.environment },
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  children.add(child);
  void exited.then(() => children.delete(child));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${plan.name} cannot be started: ${program}`);
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;

  const kill = async () => {
    child.ref();
    if (!hasExited()) await plan.killFirst?.();
    if (!hasExited()) child.kill('SIGKILL');
    await exited;
    await forgetRunning(plan.folder);
  };
  const stop = async () => {
    child.ref();
    if (!hasExited()) child.kill(plan.stopSignal);
    using limit = timer(STOP_LIMIT_MS, () => child.kill('SIGKILL'));
    await exited;
    limit.clear();
    await forgetRunning(plan.folder);
  };

  try {
    // A later start could not stop a server that has no note, for want of room on the disk.
    await recordRunning(plan.folder, pid, plan.mark);
    await untilReady(plan, hasExited);
  } catch (error) {
    await kill();
    throw error;
  }
  child.unref(); // a program that forgets its servers still ends, and they with it
  return { pid, hasExited, kill, stop };
}

/** Makes the kernel of Linux stop the server when we die without doing so. */
function commandLine({ program, arguments: args, runAs, stopSignal }: ProcessPlan): [string, string[]] {
  if (SETPRIV === undefined) {
    if (runAs !== undefined) throw new Error('setpriv (package util-linux) is needed to run PostgreSQL as root');
    return [program, args];
  }
  const account = runAs === undefined ? [] : [`--reuid=${runAs}`, `--regid=${runAs}`, '--init-groups'];
  return [SETPRIV, [...account, '--pdeathsig', stopSignal.replace('SIG', ''), program, ...args]];
}

async function untilReady(plan: ProcessPlan, hasExited: () => boolean): Promise<void> {
  const deadline = Date.now() + plan.readyLimitMs;
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 1.5, 500)) {
    try {
      if (hasExited()) break;
      await plan.check();
      return;
    } catch (error) {
      if (hasExited()) break;
      if (Date.now() >= deadline) {
        const logEnd = await tailOf(plan.logFile);
        throw new Error(`${plan.name} is not ready after ${plan.readyLimitMs} ms. Its log ends:\n${logEnd}`, {
          cause: error,
        });
      }
      await delay(waitMs);
    }
  }
  throw new ServerExited(`${plan.name} exited while starting. Its log ends:\n${await tailOf(plan.logFile)}`);
}

/** The server ended by itself before it was ready: a taken port, a lock of the run before, bad files. */
export class ServerExited extends Error {
  override readonly name = 'ServerExited';
}

function timer(ms: number, action: () => void) {
  const id = setTimeout(action, ms);
  const clear = () => clearTimeout(id);
  return { clear, [Symbol.dispose]: clear };
}

/** Runs a helper program to its end, e.g. `initdb`. @throws Error with what it printed when it fails */
export async function runToEnd(program: string, args: string[], runAs?: string): Promise<string> {
  const account =
    runAs === undefined
      ? [program, ...args]
      : [`--reuid=${runAs}`, `--regid=${runAs}`, '--init-groups', program, ...args];
  const [first = program, ...rest] = runAs === undefined ? account : [SETPRIV ?? 'setpriv', ...account];
  const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (printed = `${printed}${chunk}`.slice(-4_096)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} failed:\n${printed.trim()}`);
  return printed;
}
