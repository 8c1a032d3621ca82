import { isIPv4 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiCaller, checkModify, checkPermission } from '@catchment/access';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError, notFound, type ReasonOf, unavailable } from '@catchment/errors';
import type { CallContext } from '@catchment/grpc';
import { isJsonObject } from '@catchment/json-body';
import { countOf } from '@catchment/number-format';
import ipaddr from 'ipaddr.js';
import { jsonObjectOf } from '../../registry/index.ts';
import { invalidAttribute, type Nodes } from '../../sources/index.ts';
import { isLive, MINUTES_SCHEMA, type RemoteSession } from '../domain/remote-session.ts';
import type { Store } from './ports.ts';

export type RemoteDeps = {
  readonly store: Store;
  readonly nodes: Pick<Nodes, 'resolve'>;
  /** The operator has given ports. */
  readonly isOn: boolean;
  readonly now: () => number;
};
type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal'>;

/** A range may not be wider (docs/reference/devices.md#remote-access). */
const NARROWEST = { ipv4: 24, ipv6: 120 };
/** The process that holds the connection opens the port. */
const OPENING_MS = 5_000;
const LOOK_MS = 50;

/**
 * POST /nodes/:id/operate/remote opens a temporary port to the logger of a connected device.
 * @throws DomainError permission_denied, not_found, invalid_argument, failed_precondition
 */
export async function startRemote(
  deps: RemoteDeps,
  { nodeRef, body }: { readonly nodeRef: string; readonly body: Uint8Array },
  call: Call,
): Promise<RemoteSession> {
  const { store, now } = deps;
  checkModify(apiCaller(call.caller));
  const { source, username } = await checkedSource(deps, nodeRef, call);
  const { cidr, minutes } = readRequest(body);
  if (!deps.isOn) throw refused('REMOTE_OFF', 'id: the operator of this installation has not opened remote access');
  const { nodeId: sourceId, ownerId, workspaceId } = source;
  const endsMs = now() + minutes * 60_000;
  await store.transaction(async (tx) => {
    const device = await tx.liveDeviceOf(ownerId, sourceId);
    if (!device)
      throw refused('DEVICE_NOT_CONNECTED', 'id: the device of the source is not connected; it has to call in first');
    const { deviceId, instanceId } = device;
    if (!(await tx.lockDevice(ownerId, deviceId))) throw notFound();
    const before = await tx.findRemote(ownerId, sourceId);
    if (before && isLive(before, now()))
      throw refused('REMOTE_OPEN', 'id: remote access is open already; end it first');
    await tx.saveRemote({
      sourceId,
      ownerId,
      workspaceId,
      deviceId,
      instanceId,
      cidr,
      username,
      endsMs,
      state: 'OPENING',
      port: null,
      failure: null,
    });
    const message = `Remote access opened to ${cidr} for ${countOf(minutes, 'minute')}`;
    await tx.recordEvents([
      { ...eventOf(source), eventType: 'SECURITY', level: 'INFO', username, message, timeMs: now() },
    ]);
    await tx.notifyDevice(deviceId);
  });
  for (const until = performance.now() + OPENING_MS; performance.now() < until; ) {
    const session = await store.findRemote(ownerId, sourceId);
    if (session?.failure) throw refused('REMOTE_FAILED', `id: ${session.failure}`);
    if (session && session.state !== 'OPENING') return session;
    await sleep(LOOK_MS, undefined, { signal: call.signal });
  }
  await store.transaction((tx) => tx.deleteRemote(ownerId, sourceId));
  throw unavailable('DEVICE_AWAY');
}

/** GET /nodes/:id/operate/remote; undefined: there is none. @throws DomainError permission_denied, not_found */
export async function readRemote(deps: RemoteDeps, nodeRef: string, call: Call): Promise<RemoteSession | undefined> {
  const { source } = await checkedSource(deps, nodeRef, call);
  const session = await deps.store.findRemote(source.ownerId, source.nodeId);
  return session && isLive(session, deps.now()) ? session : undefined;
}

/** DELETE /nodes/:id/operate/remote. @throws DomainError permission_denied, not_found (also when there is none) */
export async function stopRemote(deps: RemoteDeps, nodeRef: string, call: Call): Promise<void> {
  checkModify(apiCaller(call.caller));
  const { source, username } = await checkedSource(deps, nodeRef, call);
  await deps.store.transaction(async (tx) => {
    const session = await tx.deleteRemote(source.ownerId, source.nodeId);
    if (!session || !isLive(session, deps.now())) throw notFound();
    const message = 'Remote access closed';
    await tx.recordEvents([
      { ...eventOf(source), eventType: 'SECURITY', level: 'INFO', username, message, timeMs: deps.now() },
    ]);
    await tx.notifyDevice(session.deviceId);
  });
}

async function checkedSource({ nodes }: RemoteDeps, nodeRef: string, call: Call) {
  const caller = apiCaller(call.caller);
  const source = await nodes.resolve(nodeRef, call);
  checkPermission(caller, source.workspaceId, 'CONTROL');
  if (!source.source?.deviceKey)
    throw refused('NO_REMOTE_ACCESS', 'id: must be a source whose device connects (TcpCallback or Scout)');
  return { source, username: caller.username };
}

function readRequest(body: Uint8Array): { cidr: string; minutes: number } {
  const given = jsonObjectOf(body);
  const { cidr, minutes } = isJsonObject(given) ? given : {};
  const { minimum, maximum } = MINUTES_SCHEMA;
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < minimum || minutes > maximum)
    throw invalidAttribute('minutes', `must be a whole number from ${minimum} to ${maximum}`);
  return { cidr: readCidr(cidr), minutes };
}

function readCidr(given: unknown): string {
  const rule = `must be an address range such as 192.0.2.0/28, at most /${NARROWEST.ipv4}, or /${NARROWEST.ipv6} of IPv6`;
  if (typeof given !== 'string' || given.length > 60) throw invalidAttribute('cidr', rule);
  const [address = '', bits, ...more] = given.split('/');
  // Forms such as 192.2 are addresses to the library, and surprises to people.
  const isAddress = address.includes(':') ? ipaddr.IPv6.isValid(address) : isIPv4(address);
  if (!isAddress || more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    throw invalidAttribute('cidr', rule);
  const parsed = ipaddr.parse(address);
  const whole = parsed.kind() === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? whole : Number(bits);
  if (prefix > whole || prefix < NARROWEST[parsed.kind()]) throw invalidAttribute('cidr', rule);
  return `${address}/${prefix}`;
}

const refused = (reason: ReasonOf<'failed_precondition'>, message: string): DomainError =>
  new DomainError('failed_precondition', reason, message);

const eventOf = ({ nodeId: sourceId, ownerId, workspaceId, class: sourceClass }: NodeConfig) => ({
  source: { sourceId, ownerId, workspaceId, sourceClass },
});
