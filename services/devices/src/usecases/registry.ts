import { notFound, notPermitted } from '@catchment/errors';
import {
  apiCaller,
  type CallContext,
  checkModify,
  checkPermission,
  checkWorkspace,
  type Scope,
  scopeOf,
} from '@catchment/grpc';
import { isImei, newDeviceNumber, newObjectId, normaliseObjectId } from '@catchment/ids';
import type { Database } from '@catchment/pg';
import type { NodesClient } from '../clients/nodes-client.ts';
import { invalidAttribute } from '../domain/attributes.ts';
import type { Device, ShownDevice } from '../domain/device.ts';
import { newDeviceOf } from '../domain/new-device.ts';
import type { DeviceAddress } from '../domain/scout-config.ts';
import { hashSecret } from '../domain/secret.ts';
import { deviceKeyTaken, findDevice, insertDevice } from '../store/pg-devices.ts';

export type RegistryDeps = {
  readonly database: Database;
  readonly nodes: NodesClient;
  readonly namespace: string;
  readonly address: DeviceAddress;
  readonly now: () => number;
};

type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal' | 'log'>;

const GENERATED_KEY_TRIES = 5;

/**
 * POST /devices.
 * @throws DomainError permission_denied (READ_ONLY, or limited to workspaces) | invalid_argument | not_found (workspace)
 */
export async function createDevice(deps: RegistryDeps, body: Uint8Array, call: Call): Promise<ShownDevice> {
  const caller = apiCaller(call.caller);
  checkModify(caller);
  if (caller.accessLevel === 'LIMITED_WORKSPACES') throw notPermitted();
  const wanted = newDeviceOf(body, deps.namespace, deps.address);
  const workspace = await deps.nodes.resolve(wanted.workspaceRef, call);
  checkPermission(caller, workspace.workspaceId, 'CONFIGURE');
  if (workspace.class !== 'Workspace') throw invalidAttribute('workspaceId', 'must be a Workspace');
  const createdMs = deps.now();
  const device: Omit<Device, 'deviceKey'> = {
    deviceId: newObjectId(createdMs),
    ownerId: caller.ownerId,
    workspaceId: workspace.nodeId,
    deviceClass: wanted.deviceClass,
    phoneNumber: wanted.phoneNumber,
    secretHash: wanted.secret === null ? null : await hashSecret(wanted.secret),
    config: wanted.config,
    configRevision: 1,
    confirmedRevision: 0,
    software: {},
    createdMs,
    lastConnectedMs: null,
  };
  if (wanted.deviceKey?.length === 15 && !isImei(wanted.deviceKey)) {
    call.log.warn({ deviceKey: wanted.deviceKey }, 'check digit of the IMEI is wrong');
  }
  for (let tries = wanted.deviceKey ? GENERATED_KEY_TRIES - 1 : 0; tries < GENERATED_KEY_TRIES; tries += 1) {
    const deviceKey = wanted.deviceKey ?? newDeviceNumber();
    if (await insertDevice(deps.database, { ...device, deviceKey })) {
      const stored = await findDevice(deps.database, caller.ownerId, device.deviceId);
      if (stored) return stored;
    }
  }
  throw deviceKeyTaken();
}

/** GET /devices/:id. @throws DomainError not_found | permission_denied (outside the caller's workspaces) */
export async function getDevice(
  deps: Pick<RegistryDeps, 'database' | 'nodes'>,
  reference: string,
  call: Pick<Call, 'caller' | 'token' | 'deadlineMs' | 'signal'>,
): Promise<ShownDevice> {
  const scope = scopeOf(apiCaller(call.caller));
  const deviceId = normaliseObjectId(reference);
  const device = deviceId && (await findDevice(deps.database, scope.ownerId, deviceId));
  if (!device) throw notFound();
  checkWorkspace(scope, device.workspaceId ?? '');
  const closed = await closedSources(deps, scope, call);
  if (device.datasourceId !== null && closed.includes(device.datasourceId)) throw notFound();
  return device;
}

/** Nodes that are closed to the caller: what they know of devices is, too. */
export async function closedSources(
  { nodes }: { readonly nodes: Pick<NodesClient, 'closed'> },
  { closedTo }: Scope,
  call: Pick<Call, 'token' | 'deadlineMs' | 'signal'>,
): Promise<readonly string[]> {
  return closedTo ? nodes.closed(call) : [];
}
