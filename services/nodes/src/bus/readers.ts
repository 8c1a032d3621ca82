import type { Bus } from '@catchment/bus';
import type { Logger } from '@catchment/telemetry';
import { repeat } from '../repeat.ts';
import { applyAlarms } from '../usecases/apply-alarms.ts';
import { type ApplyDeps, applyBatches } from '../usecases/apply-batch.ts';
import { closeEndedWindows } from '../usecases/close-windows.ts';
import { expireAccess } from '../usecases/expire-access.ts';
import { expireTrials } from '../usecases/expire-trials.ts';
import type { FileDeps } from '../usecases/file-store.ts';
import { propagateDue } from '../usecases/propagate.ts';
import { sweepFiles } from '../usecases/sweep-files.ts';
import { decodeApplied } from './decode-applied.ts';

const EVERY_MS = 1_000;
/** Semantics 11.6, 19.1. */
const EXPIRE_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 10_000;

/** Follows the store and the alarms service until stopped. */
export function startReaders(bus: Bus, deps: ApplyDeps & FileDeps, log: Logger): { stop(): Promise<void> } {
  const values = bus.readPartitions('nodes', async (partition, messages, signal) => {
    await applyBatches(
      deps,
      partition,
      messages.flatMap(({ data }) => decodeApplied(data)),
      signal,
    );
  });
  const alarms = bus.readDomain('nodes-alarms', (messages) => applyAlarms(deps, messages));
  const access = repeat('access that has ended could not be removed', EXPIRE_EVERY_MS, () => expireAccess(deps), log);
  const windows = repeat('acquisition windows could not be closed', EVERY_MS, () => closeEndedWindows(deps), log);
  const instances = repeat('instances could not follow their templates', EVERY_MS, () => propagateDue(deps), log);
  const trials = repeat(
    'trials that have ended could not be dealt with',
    EXPIRE_EVERY_MS,
    () => expireTrials(deps),
    log,
  );
  const files = repeat('files could not be removed', SWEEP_EVERY_MS, () => sweepFiles(deps), log);
  const all = [values, alarms, windows, instances, access, trials, files];
  return { stop: async () => void (await Promise.all(all.map((reader) => reader.stop()))) };
}
