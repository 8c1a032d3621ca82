import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { hang } from '@catchment/testkit';

/** Stops a process again and again, as one that gets little CPU or waits for a slow disk. @returns ends it */
export function stutter(pid: number, times: { readonly stoppedMs: number; readonly runningMs: number }) {
  const ending = new AbortController();
  const looping = (async () => {
    while (!ending.signal.aborted) {
      const goOn = await hang(pid);
      await delay(times.stoppedMs, undefined, { signal: ending.signal }).catch(() => {});
      await goOn();
      await delay(times.runningMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return async () => {
    ending.abort();
    await looping;
  };
}

/** Reads the command line and the environment of a running process. */
async function startOf(pid: number): Promise<{ args: string[]; env: NodeJS.ProcessEnv }> {
  const [line, environment] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    readFile(`/proc/${pid}/environ`, 'utf8'),
  ]);
  const parts = (text: string) => text.split('\0').filter(Boolean);
  const env = Object.fromEntries(
    parts(environment).map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
  return { args: parts(line), env };
}

/**
 * Starts one more process of a service, as of another pod.
 * @param pid of one that runs
 * @param options.wrapper comes before its command line
 * @returns its id, and what ends it
 */
export async function oneMore(
  pid: number,
  options: { readonly env: NodeJS.ProcessEnv; readonly wrapper?: readonly string[] },
): Promise<{ readonly pid: number; end(): Promise<void> }> {
  const { args, env } = await startOf(pid);
  const [program = '', ...others] = [...(options.wrapper ?? []), ...args];
  const { NODE_CHANNEL_FD: _its, NODE_CHANNEL_SERIALIZATION_MODE: _mode, ...rest } = env;
  const child = spawn(program, others, { env: { ...rest, ...options.env }, stdio: 'ignore', detached: true });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // The signal ends whatever the wrapper has started, too.
    process.kill(-(child.pid as number), 'SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid as number, end };
}
