import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import type { RoundRobin } from '../../listening/index.ts';
import type { DeviceSource, ShownDevice } from '../domain/device.ts';
import type { Ident } from '../domain/ident.ts';
import { hashOf, matchModem } from './match-modem.ts';
import type { Store, Stored } from './ports.ts';
import type { SecretHasher } from './secret-hasher.ts';

const LISTEN_RETRY_MS = 500;

export type ModemDeps = {
  readonly store: Store;
  readonly instanceId: string;
  readonly secrets: SecretHasher;
  /** Modems that are registered or looked up take turns by address, since others wait for the database too. */
  readonly roundRobin: RoundRobin;
  readonly log: Logger;
  readonly now: () => number;
};

/** The device has an open connection. */
export type Accepted = {
  readonly device: ShownDevice;
  /** Oldest first, at least one. */
  readonly sources: readonly DeviceSource[];
  readonly session: string;
  readonly ackedSeq: number;
};

/** @throws DomainError unavailable: too many wait */
async function inTurn<T>(
  { roundRobin }: Pick<ModemDeps, 'roundRobin'>,
  client: string,
  work: () => Promise<T>,
): Promise<T> {
  const end = await roundRobin.take(client);
  if (!end) throw unavailable('DATABASE_BUSY');
  try {
    return await work();
  } finally {
    end();
  }
}

/** Checks an identification and registers the connection (docs/reference/devices.md#connections, steps 2-4), or says why not. */
export async function acceptModem(
  deps: ModemDeps,
  ident: Ident,
  { connectionId, address }: { readonly connectionId: string; readonly address: string },
): Promise<Accepted | { readonly refused: string }> {
  const { deviceKey, secret } = ident;
  // The derivation waits in a separate queue: others do not wait for it.
  const hash = secret === undefined ? undefined : await hashOf(deps, { deviceKey, secret }, address);
  return inTurn(deps, address, () => register(deps, ident, hash, connectionId));
}

async function register(
  deps: ModemDeps,
  ident: Ident,
  hash: string | undefined,
  connectionId: string,
): Promise<Accepted | { readonly refused: string }> {
  const matched = await matchModem(deps, ident, hash);
  // The same lookup finds the source, so that a device without a source takes no longer to refuse.
  if (!matched || matched.device.datasourceId === null)
    return { refused: 'no assigned device has this key and secret' };
  const { device } = matched;
  // The count of a modem that names no session lasts as long as its connection.
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

/**
 * Returns what a change has left of an accepted connection: the device with its sources, or why the connection ends.
 */
export async function standingOf(
  { store, roundRobin }: Pick<ModemDeps, 'store' | 'roundRobin'>,
  { device: { deviceId, ownerId } }: Accepted,
  connectionId: string,
): Promise<Pick<Accepted, 'device' | 'sources'> | 'REPLACED' | 'UNASSIGNED'> {
  const [device, sources, isRegistered] = await inTurn({ roundRobin }, '', () =>
    Promise.all([
      store.findDevice(ownerId, deviceId),
      store.sourcesOfDevice(deviceId),
      store.isRegistered(deviceId, connectionId),
    ]),
  );
  if (!isRegistered) return 'REPLACED';
  return device && sources.length > 0 ? { device, sources } : 'UNASSIGNED';
}

export type EndedConnection = { readonly deviceId: string; readonly connectionId: string };

/** Connections have ended (docs/reference/devices.md#connections, step 7). */
export async function releaseModems(
  deps: Pick<ModemDeps, 'store' | 'now'>,
  ended: readonly EndedConnection[],
): Promise<void> {
  await deps.store.transaction(async (tx) => recordDisconnected(deps, tx, await tx.closeConnections(ended)));
}

/**
 * Renews the lease of this process, and removes connections that no process holds any more: those of dead processes, and own ones whose end
 * was not recorded.
 * @param held the connections of this process, also those that are about to identify themselves
 * @returns the connections of this process that are registered
 */
export async function renewLease(deps: ModemDeps, held: readonly string[]): Promise<ReadonlySet<string>> {
  const { store, instanceId } = deps;
  await store.heartbeat(instanceId);
  await store.transaction(async (tx) => {
    await recordDisconnected(deps, tx, await tx.sweepConnections(instanceId, held));
  });
  return store.registeredConnections(instanceId);
}

/**
 * Calls `changed` for each change of a device by any process, and without a device when changes may have been missed: at the beginning,
 * and whenever the store was away. Ends with `signal`.
 */
export async function followDevices(
  { store, log }: Pick<ModemDeps, 'store' | 'log'>,
  changed: (deviceId?: string, connectionId?: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await store
      .listenForDevices(changed, signal)
      .catch((err: unknown) => log.debug({ err }, 'notifications of devices interrupted'));
    // The signal ends the wait too: then nobody listens any more.
    if (!signal.aborted) await sleep(LISTEN_RETRY_MS, undefined, { signal }).catch(() => {});
  }
}

export async function recordDisconnected(
  deps: Pick<ModemDeps, 'now'>,
  tx: Stored,
  deviceIds: readonly string[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  const timeMs = deps.now();
  const disconnected = (await tx.sourcesShown(deviceIds)).map(({ deviceKey, source }) => ({
    source,
    level: 'DEBUG' as const,
    timeMs,
    message: `Device ${deviceKey} disconnected`,
  }));
  await tx.recordEvents(disconnected);
}
