import type { Bus } from '@catchment/bus';
import type { Logger } from '@catchment/telemetry';
import { applyAlarms } from '../usecases/apply-alarms.ts';
import { type ApplyDeps, applyBatch } from '../usecases/apply-batch.ts';
import { closeEndedWindows } from '../usecases/close-windows.ts';
import type { Deps } from '../usecases/deps.ts';
import { propagateDue } from '../usecases/propagate.ts';
import { decodeApplied } from './decode-applied.ts';

const EVERY_MS = 1_000;

/** Follows the store and the alarms service until stopped. */
export function startReaders(bus: Bus, deps: ApplyDeps & Deps, log: Logger): { stop(): Promise<void> } {
  const values = bus.readPartitions('nodes', async (partition, messages, signal) => {
    for (const { data } of messages) await applyBatch(deps, partition, decodeApplied(data), signal);
  });
  const alarms = bus.readDomain('nodes-alarms', (messages) => applyAlarms(deps, messages));
  const windows = repeat(() => closeEndedWindows(deps), log, 'acquisition windows could not be closed, trying again');
  const instances = repeat(() => propagateDue(deps), log, 'instances could not follow their templates, trying again');
  return {
    stop: async () => void (await Promise.all([values.stop(), alarms.stop(), windows.stop(), instances.stop()])),
  };
}

/** Runs a task every second, never twice at once. */
function repeat(task: () => Promise<void>, log: Logger, failure: string): { stop(): Promise<void> } {
  let running = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = task()
      .catch((err: unknown) => log.warn({ err }, failure))
      .finally(() => {
        isBusy = false;
      });
  }, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
