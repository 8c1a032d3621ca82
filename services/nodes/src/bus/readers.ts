import type { Bus } from '@catchment/bus';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { expireTrials } from '../usecases/accounts/expire-trials.ts';
import type { FileDeps } from '../usecases/files/file-store.ts';
import { removeOldAttachments } from '../usecases/files/remove-old-attachments.ts';
import { sweepFiles } from '../usecases/files/sweep-files.ts';
import { applyAlarms } from '../usecases/following/apply-alarms.ts';
import { type ApplyDeps, applyBatches } from '../usecases/following/apply-batch.ts';
import { closeEndedWindows } from '../usecases/following/close-windows.ts';
import { expireAccess } from '../usecases/security/expire-access.ts';
import { propagateDue } from '../usecases/templates/propagate.ts';
import { decodeApplied } from './decode-applied.ts';

const EVERY_MS = 1_000;
/**
 * See docs/reference/node-tree.md#attributes-of-classes, docs/reference/people-and-security.md#granting-and-revoking-access,
 * docs/reference/accounts-and-usage.md#account.
 */
const EXPIRE_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 10_000;

/** Follows the store and the alarms service until stopped. */
export function startReaders(bus: Bus, deps: ApplyDeps & FileDeps, log: Logger): { stop(): Promise<void> } {
  const values = bus.readPartitions('nodes', async (partition, messages, signal) => {
    await applyBatches(deps, partition, messages.flatMap(decodeApplied), signal);
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
  const attachments = repeat(
    'old attachments could not be removed',
    EXPIRE_EVERY_MS,
    () => removeOldAttachments(deps),
    log,
  );
  const all = [values, alarms, windows, instances, access, trials, files, attachments];
  return { stop: async () => void (await Promise.all(all.map((reader) => reader.stop()))) };
}
