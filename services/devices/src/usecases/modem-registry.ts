import type { Logger } from '@catchment/telemetry';
import type { DeviceSource, ShownDevice } from '../domain/device.ts';
import type { Ident } from '../domain/modem-message.ts';
import { matchModem } from './match-modem.ts';
import type { Store, Stored } from './ports.ts';
import type { SecretHasher } from './secret-hasher.ts';

export type ModemDeps = {
  readonly store: Store;
  readonly instanceId: string;
  readonly secrets: SecretHasher;
  readonly log: Logger;
  readonly now: () => number;
};

/** A device with an open connection. */
export type Accepted = {
  readonly device: ShownDevice;
  /** Oldest first, at least one. */
  readonly sources: readonly DeviceSource[];
  readonly session: string;
  readonly ackedSeq: number;
};

/** Checks an identification and registers the connection (docs/reference/devices.md#connections, steps 2-4), or says why not. */
export async function acceptModem(
  deps: ModemDeps,
  ident: Ident,
  { connectionId, address }: { readonly connectionId: string; readonly address: string },
): Promise<Accepted | { readonly refused: string }> {
  const matched = await matchModem(deps, ident, address);
  // Known from the same lookup, so that one without a source takes no longer to refuse.
  if (!matched || matched.device.datasourceId === null)
    return { refused: 'no assigned device has this key and secret' };
  const { device } = matched;
  // Without a session of its own, a modem's count lasts as long as its connection.
  const session = ident.session || connectionId;
  const nowMs = deps.now();
  return deps.store.transaction(async (tx) => {
    const sources = await tx.sourcesOfDevice(device.deviceId);
    const [source] = sources;
    const { instanceId } = deps;
    const opened =
      source &&
      (await tx.openConnection({ matched, connectionId, instanceId, session, software: ident.software, nowMs }));
    if (!opened) return { refused: 'the device has changed meanwhile' };
    const event = (what: string) => ({
      source,
      level: 'DEBUG' as const,
      message: `Device ${device.deviceKey} ${what}`,
      timeMs: nowMs,
    });
    await tx.recordEvents(opened.replaced ? [event('disconnected'), event('connected')] : [event('connected')]);
    return { device, sources, session, ackedSeq: opened.ackedSeq };
  });
}

/** The connection has ended (docs/reference/devices.md#connections, step 7). */
export async function releaseModem(deps: ModemDeps, deviceId: string, connectionId: string): Promise<void> {
  await deps.store.transaction(async (tx) => {
    if (await tx.closeConnection(deviceId, connectionId)) await recordDisconnected(deps, tx, deviceId);
  });
}

/** Removes connections that no process holds any more: those of dead processes, and own ones whose end was not recorded. */
export async function sweepModems(deps: ModemDeps, heldConnectionIds: readonly string[]): Promise<void> {
  await deps.store.transaction(async (tx) => {
    for (const deviceId of await tx.sweepConnections(deps.instanceId, heldConnectionIds)) {
      await recordDisconnected(deps, tx, deviceId);
    }
  });
}

export async function recordDisconnected(deps: Pick<ModemDeps, 'now'>, tx: Stored, deviceId: string): Promise<void> {
  const [source] = await tx.sourcesOfDevice(deviceId);
  if (!source) return;
  const device = await tx.findDevice(source.ownerId, deviceId);
  const message = `Device ${device?.deviceKey} disconnected`;
  await tx.recordEvents([{ source, level: 'DEBUG', message, timeMs: deps.now() }]);
}
