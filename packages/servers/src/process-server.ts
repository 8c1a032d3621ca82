import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from './running-server.ts';
import { type ProcessPlan, ServerExited, type ServerProcess, startProcess } from './server-process.ts';
import type { ServerKind } from './versions.ts';

const RESTART_LIMIT_MS = 15_000;

/** A server as a process of this machine, started from `plan` and again from it by `restart()`. */
export async function processServer(
  kind: ServerKind,
  version: string,
  url: string,
  plan: ProcessPlan,
): Promise<RunningServer> {
  let running: ServerProcess | undefined = await startProcess(plan);
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
      running = await startAgain(plan);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * The children of a killed PostgreSQL hold its shared memory for a moment longer, and a killed server's port may be
 * busy as long: a server that exits at once is tried again.
 */
async function startAgain(plan: ProcessPlan): Promise<ServerProcess> {
  const deadline = Date.now() + RESTART_LIMIT_MS;
  for (;;) {
    try {
      return await startProcess(plan);
    } catch (error) {
      if (!(error instanceof ServerExited) || Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}
