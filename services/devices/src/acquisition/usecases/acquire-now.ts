import { apiCaller, checkModify, checkPermission } from '@catchment/access';
import type { CallContext } from '@catchment/grpc';
import { type AcquiredSource, after, type DeviceCall } from '../../schedules/index.ts';
import type { Nodes, SourceEvent } from '../../sources/index.ts';
import { askedSource, refused } from '../domain/acquired-source.ts';
import { takeOver } from './follow-acquisition.ts';
import type { Store, Stored } from './ports.ts';

export type AcquireDeps = {
  readonly store: Pick<Store, 'transaction' | 'isDeviceConnected'>;
  readonly nodes: Pick<Nodes, 'resolve'>;
  /** There is something to do. */
  readonly wake: () => void;
  readonly now: () => number;
};
type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal'>;

/** A modem out of reach gets no more than this, however often somebody asks: each SMS costs. */
const CALL_AGAIN_MS = 10 * 60_000;

/**
 * Acquire now (docs/reference/acquisition.md#transports): the session begins as soon as it can; one that runs is joined.
 * @throws DomainError failed_precondition where the source cannot be asked, is disabled, or in use by a remote client; not_found,
 *   permission_denied
 */
export async function acquireNow(deps: AcquireDeps, nodeRef: string, call: Call): Promise<void> {
  const caller = apiCaller(call.caller);
  const node = await deps.nodes.resolve(nodeRef, call);
  checkModify(caller);
  checkPermission(caller, node.workspaceId, 'CONTROL');
  const source = askedSource(node);
  const isWaiting = await isAway(deps, source);
  const nowMs = deps.now();
  const message = 'Acquire requested';
  const event: SourceEvent = { source, level: 'INFO', username: caller.username, message, timeMs: nowMs };
  await deps.store.transaction(async (tx) => {
    // It may have been made a moment ago: the message about it is on its way.
    await takeOver(tx, source, nowMs);
    const known = await tx.lockAcquisition(source.sourceId);
    if (known === undefined || known === 'deleted') throw refused('NOT_ACQUIRABLE', 'id: the source is gone');
    if (known.status === 'REMOTE')
      throw refused(
        'SOURCE_REMOTE',
        'id: a remote client uses the source; end it by DELETE of operate/remote, or wait',
      );
    const queued = isWaiting ? undefined : after(known, 'acquire', nowMs);
    if (queued) return tx.saveAcquisition({ ...queued, retries: 0 }, { shows: true, events: [event] });
    const calls = isWaiting ? await callOf(tx, source, nowMs) : [];
    return tx.saveAcquisition({ ...known, collects: true }, { events: [event], calls });
  });
  // It may have connected since it was looked for.
  if (isWaiting && !(await isAway(deps, source)))
    await deps.store.transaction(async (tx) => {
      const known = await tx.lockAcquisition(source.sourceId);
      const queued = known && known !== 'deleted' && known.collects ? after(known, 'acquire', nowMs) : undefined;
      if (queued) await tx.saveAcquisition({ ...queued, retries: 0 }, { shows: true });
    });
  deps.wake();
}

/** A Scout that has a phone number is asked by SMS to connect (docs/reference/devices.md#calling-a-device). */
async function callOf(tx: Stored, source: AcquiredSource, timeMs: number): Promise<DeviceCall[]> {
  const { deviceKey } = source;
  const phoneNumber = await tx.takeCall(source, timeMs, timeMs - CALL_AGAIN_MS);
  if (phoneNumber === undefined || deviceKey === null) return [];
  const { sourceId, workspaceId, sourceClass } = source;
  return [{ source: { sourceId, workspaceId, sourceClass }, deviceKey, phoneNumber, timeMs }];
}

/**
 * Returns whether the source has to wait until its device connects.
 * @throws DomainError failed_precondition where nothing can wait for it
 */
async function isAway({ store }: AcquireDeps, { transport, ownerId, deviceKey }: AcquiredSource): Promise<boolean> {
  if (deviceKey === null || (await store.isDeviceConnected(ownerId, deviceKey))) return false;
  if (transport === 'TcpCallback')
    throw refused('DEVICE_NOT_CONNECTED', 'id: the device of the source is not connected; it has to call in first');
  return true;
}
