import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from './running-server.ts';
import { type ProcessPlan, ServerExited, type ServerProcess, startProcess } from './server-process.ts';
import type { ServerKind } from './versions.ts';

const RESTART_LIMIT_MS = 20_000;
/** PostgreSQL says this of files that another process has; a taken port is changed for another one at a first start. */
const HELD = /shared memory block .*still in use|lock file .* already exists/i;

/** Starts a server as a process of this machine from `plan`, and again from it by `restart()`. */
export async function processServer(
  kind: ServerKind,
  version: string,
  url: string,
  plan: ProcessPlan,
): Promise<RunningServer> {
  let running: ServerProcess | undefined = await startWhenFree(plan, (message) => HELD.test(message));
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  return {
    kind,
    url,
    version,
    where: plan.killFirst === undefined ? 'process' : 'container',
    get pid() {
      return running === undefined || running.hasExited() || plan.killFirst !== undefined ? undefined : running.pid;
    },
    kill: async () => {
      await running?.kill();
      running = undefined;
    },
    restart: async () => {
      await stop();
      running = await startWhenFree(plan, () => true);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * A server that was killed, with whoever had started it or alone, holds its files for a moment longer: the children of a PostgreSQL its shared
 * memory. One that finds them held exits at once, and is tried again; a server that
 * is restarted at its own port is tried again whatever it says.
 */
async function startWhenFree(plan: ProcessPlan, isHeld: (message: string) => boolean): Promise<ServerProcess> {
  const deadline = Date.now() + RESTART_LIMIT_MS;
  for (;;) {
    try {
      return await startProcess(plan);
    } catch (error) {
      if (!(error instanceof ServerExited) || !isHeld(error.message) || Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}
