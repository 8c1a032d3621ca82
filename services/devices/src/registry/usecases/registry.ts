import { apiCaller, checkModify, checkPermission, checkWorkspace, scopeOf } from '@catchment/access';
import { DomainError, invalid, notFound, notPermitted } from '@catchment/errors';
import type { CallContext } from '@catchment/grpc';
import { isImei, newDeviceNumber, newObjectId, normaliseObjectId } from '@catchment/ids';
import { closedSources, invalidAttribute, type Nodes } from '../../sources/index.ts';
import type { ShownDevice } from '../domain/device.ts';
import { changedDevice, readDeviceChange } from '../domain/device-change.ts';
import { newDeviceOf } from '../domain/new-device.ts';
import type { DeviceAddress } from '../domain/scout-config.ts';
import { recordDisconnected } from './modem-registry.ts';
import type { Store } from './ports.ts';
import { hashOfMade, newSalt, newSecret, type SecretHasher } from './secret-hasher.ts';

export type RegistryDeps = {
  readonly store: Store;
  readonly nodes: Nodes;
  readonly secrets: SecretHasher;
  readonly namespace: string;
  readonly address: DeviceAddress;
  readonly now: () => number;
};

type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal' | 'log'>;

/** The device is shown once with `secret`, when the secret was made here. */
type CreatedDevice = { readonly device: ShownDevice; readonly secret?: string };

const GENERATED_KEY_TRIES = 5;

/**
 * POST /devices. A device without key is given a number, one without secret a secret.
 * @throws DomainError permission_denied (READ_ONLY, or limited to workspaces) | invalid_argument | not_found (workspace)
 */
export async function createDevice(deps: RegistryDeps, body: Uint8Array, call: Call): Promise<CreatedDevice> {
  const caller = apiCaller(call.caller);
  checkModify(caller);
  if (caller.accessLevel === 'LIMITED_WORKSPACES') throw notPermitted();
  const wanted = newDeviceOf(body, deps.namespace, deps.address);
  const workspace = await deps.nodes.resolve(wanted.workspaceRef, call);
  checkPermission(caller, workspace.workspaceId, 'CONFIGURE');
  if (workspace.class !== 'Workspace') throw invalidAttribute('workspaceId', 'must be a Workspace');
  if (wanted.deviceKey?.length === 15 && !isImei(wanted.deviceKey)) {
    call.log.warn({ deviceKey: wanted.deviceKey }, 'check digit of the IMEI is wrong');
  }
  const made = wanted.secret === undefined ? newSecret() : undefined;
  const createdMs = deps.now();
  const device = {
    deviceId: newObjectId(createdMs),
    ownerId: caller.ownerId,
    workspaceId: workspace.nodeId,
    deviceClass: wanted.deviceClass,
    phoneNumber: wanted.phoneNumber,
    config: wanted.config,
    configRevision: 1,
    confirmedRevision: 0,
    software: {},
    createdMs,
    lastConnectedMs: null,
  };
  const isGenerated = wanted.deviceKey === undefined;
  for (let tries = isGenerated ? GENERATED_KEY_TRIES : 1; tries > 0; tries -= 1) {
    const deviceKey = wanted.deviceKey ?? newDeviceNumber();
    const secretHash =
      made === undefined
        ? await hashFor(deps, { ownerId: caller.ownerId, deviceKey }, wanted.secret ?? null)
        : hashOfMade(made, await deps.store.makeSalt(deviceKey, newSalt()));
    if (!(await deps.store.insertDevice({ ...device, deviceKey, secretHash }, isGenerated))) continue;
    const stored = await deps.store.findDevice(caller.ownerId, device.deviceId);
    if (stored) return { device: stored, ...(made !== undefined && { secret: made }) };
  }
  throw invalid('DEVICE_KEY_TAKEN', 'deviceKey: must be unique in the account');
}

/** Returns the stored hash of a secret that somebody has chosen; null: none. */
async function hashFor(
  { store, secrets }: Pick<RegistryDeps, 'store' | 'secrets'>,
  { ownerId, deviceKey }: { readonly ownerId: string; readonly deviceKey: string },
  secret: string | null,
): Promise<string | null> {
  return secret === null ? null : secrets.hash(secret, () => store.makeSalt(deviceKey, newSalt()), ownerId);
}

/**
 * PUT /devices/:id changes secret, phone number and configuration; what is absent stays. A modem whose secret was changed must identify
 * itself again.
 * @throws DomainError permission_denied | not_found | invalid_argument
 */
export async function updateDevice(
  deps: RegistryDeps,
  { deviceId: reference, body }: { readonly deviceId: string; readonly body: Uint8Array },
  call: Call,
): Promise<ShownDevice> {
  checkModify(call.caller);
  const { deviceId, ownerId, workspaceId, deviceKey } = await getDevice(deps, reference, call);
  checkPermission(call.caller, workspaceId ?? '', 'CONFIGURE');
  const change = readDeviceChange(body);
  // The hash is made before the transaction, which must not wait for a derivation.
  const secretHash =
    change.secret === undefined ? undefined : await hashFor(deps, { ownerId, deviceKey }, change.secret);
  return deps.store.transaction(async (tx) => {
    const before = await tx.lockDevice(ownerId, deviceId);
    if (!before) throw notFound();
    const after = changedDevice(before, change, deps.address);
    await tx.saveDevice({ ...after, ...(secretHash !== undefined && { secretHash }) }, deps.now());
    if (secretHash === undefined) await tx.notifyDevice(deviceId);
    else if (await tx.dropConnection(deviceId)) await recordDisconnected(deps, tx, [deviceId]);
    return (await tx.findDevice(ownerId, deviceId)) ?? after;
  });
}

/**
 * DELETE /devices/:id. A source would make it again at its next change, so one that names it goes first.
 * @throws DomainError permission_denied | not_found | failed_precondition (a source names it)
 */
export async function deleteDevice(deps: RegistryDeps, reference: string, call: Call): Promise<void> {
  checkModify(call.caller);
  const { deviceId, ownerId, workspaceId } = await getDevice(deps, reference, call);
  checkPermission(call.caller, workspaceId ?? '', 'CONFIGURE');
  await deps.store.transaction(async (tx) => {
    if (!(await tx.lockDevice(ownerId, deviceId))) throw notFound();
    if (await tx.dropConnection(deviceId)) await recordDisconnected(deps, tx, [deviceId]);
    if (await tx.deleteDevice(ownerId, deviceId)) return;
    throw new DomainError(
      'failed_precondition',
      'DEVICE_IN_USE',
      'id: a source uses the device; change its transport first',
    );
  });
}

/** GET /devices/:id. @throws DomainError not_found | permission_denied (outside the caller's workspaces) */
export async function getDevice(
  deps: Pick<RegistryDeps, 'store' | 'nodes'>,
  reference: string,
  call: Pick<Call, 'caller' | 'token' | 'deadlineMs' | 'signal'>,
): Promise<ShownDevice> {
  const scope = scopeOf(apiCaller(call.caller));
  const deviceId = normaliseObjectId(reference);
  const device = deviceId && (await deps.store.findDevice(scope.ownerId, deviceId));
  if (!device) throw notFound();
  checkWorkspace(scope, device.workspaceId ?? '');
  const closed = await closedSources(deps, scope, call);
  if (device.datasourceId !== null && closed.includes(device.datasourceId)) throw notFound();
  return device;
}
