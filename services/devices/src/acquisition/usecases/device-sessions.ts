import type { DeviceSource } from '../../registry/index.ts';
import { after, sessionKind } from '../../schedules/index.ts';
import type { Store } from './ports.ts';

type DeviceSessionDeps = {
  readonly store: Pick<Store, 'transaction'>;
  /** This process holds the connection of the device. */
  readonly instanceId: string;
  readonly wake: () => void;
  readonly now: () => number;
};

/**
 * A device has connected to this process: sources with something to do, and those whose device calls of its own accord, get their
 * sessions, oldest first.
 */
export async function deviceConnected(
  { store, wake, now }: DeviceSessionDeps,
  deviceId: string,
  sources: readonly Pick<DeviceSource, 'sourceClass'>[],
): Promise<void> {
  if (!sources.some(({ sourceClass }) => sessionKind({ transport: 'Scout', sourceClass }) === 'LOGGER')) return;
  await store.transaction(async (tx) => {
    for (const known of await tx.acquisitionsOfDevice(deviceId)) {
      if (sessionKind(known) !== 'LOGGER') continue;
      const calls = known.scheduleType !== 'SERVER';
      if (!calls && !known.collects && (await tx.pendingControls(known.sourceId)).length === 0) continue;
      const queued = after(known, 'device connected', now());
      if (queued) await tx.saveAcquisition({ ...queued, collects: calls || known.collects }, { shows: true });
    }
  });
  wake();
}

/** A remote client uses the device of a source, or has gone: no session runs meanwhile. */
export async function remoteUse(
  { store, instanceId, wake, now }: DeviceSessionDeps,
  { sourceId }: { readonly sourceId: string },
  isConnected: boolean,
): Promise<void> {
  await store.transaction(async (tx) => {
    const known = await tx.lockAcquisition(sourceId);
    if (known === undefined || known === 'deleted') return;
    const used = after(known, isConnected ? 'remote client connected' : 'remote client gone', now());
    // Whoever dies with the client leaves the source at rest.
    if (used) await tx.saveAcquisition(isConnected ? { ...used, instanceId } : used, { shows: true });
  });
  wake();
}
