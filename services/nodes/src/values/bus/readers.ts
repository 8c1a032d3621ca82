import type { Bus } from '@catchment/bus';
import { applyAlarms } from '../usecases/apply-alarms.ts';
import { type ApplyDeps, applyBatches } from '../usecases/apply-batch.ts';
import { decodeAlarms } from './decode-alarms.ts';
import { decodeApplied } from './decode-applied.ts';

/** Follows the store and the alarms service until stopped. */
export function startReaders(bus: Bus, deps: ApplyDeps): { stop(): Promise<void> } {
  const readers = [
    bus.readPartitions('nodes', async (partition, messages, signal) => {
      await applyBatches(deps, partition, messages.flatMap(decodeApplied), signal);
    }),
    bus.readDomain('nodes-alarms', (messages) => applyAlarms(deps, messages.flatMap(decodeAlarms))),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}
