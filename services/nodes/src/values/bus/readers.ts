import type { Bus, BusMessage } from '@catchment/bus';
import { lateBatch, latePartition } from '../domain/late-batch.ts';
import { applyAlarms } from '../usecases/apply-alarms.ts';
import { type ApplyDeps, applyBatches, type PutAside } from '../usecases/apply-batch.ts';
import { applyDevices } from '../usecases/apply-devices.ts';
import type { AlarmStore, BatchStore, SessionStore } from '../usecases/ports.ts';
import { decodeAlarms } from './decode-alarms.ts';
import { decodeApplied, partsOfAccounts } from './decode-applied.ts';
import { decodeDevices } from './decode-devices.ts';
import { runsOfWriters, writersPartition } from './writers.ts';

/** Follows the store, the alarms service and the devices service until stopped. */
export function startReaders(
  stores: BatchStore & AlarmStore & SessionStore,
  bus: Bus,
  deps: ApplyDeps,
): { stop(): Promise<void> } {
  const readers = [
    bus.readPartitions('nodes', async (partition, messages, signal) => {
      const [only, ...others] = messages;
      // A batch of several messages fails as a whole, and each message then comes again alone.
      const applying = only && others.length === 0 ? { ...deps, putAside: asideOf(only) } : deps;
      const inTime = messages.filter(({ isRetry }) => !isRetry).flatMap(decodeApplied);
      for (const run of runsOfWriters(inTime))
        await applyBatches(stores, applying, writersPartition(partition, run[0]?.shardNumber ?? 0), run, signal);
      for (const message of messages.filter(({ isRetry }) => isRetry)) {
        const late = decodeApplied(message).map((batch) => lateBatch(batch, message.sequence));
        await applyBatches(stores, applying, latePartition(partition), late, signal);
      }
    }),
    bus.readDomain('nodes-alarms', (messages) => applyAlarms(stores, deps, messages.flatMap(decodeAlarms))),
    bus.readDomain('nodes-devices', (messages) => applyDevices(stores, deps, messages.flatMap(decodeDevices))),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}

/** Makes a dead letter for each account with what a message says about nodes at which it fails. */
const asideOf =
  (message: BusMessage): PutAside =>
  async (refused) => {
    const reason = refused.map(({ item, error }) => `${item}: ${error.reason}`).join(', ');
    const parts = partsOfAccounts(message, new Set(refused.map(({ item }) => item)));
    for (const [ownerId, data] of parts) await message.putAside(ownerId, data, reason);
  };
