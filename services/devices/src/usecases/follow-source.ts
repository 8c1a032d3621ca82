import { isImei, newObjectId } from '@catchment/ids';
import type { Database, Queryable } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { recordEvents } from '../bus/recorded-event.ts';
import { type Device, type DeviceClass, isDeviceKey, type ShownDevice } from '../domain/device.ts';
import { type DeviceAddress, SCHEDULE_TYPES, scoutConfigOf } from '../domain/scout-config.ts';
import { notifyDevice } from '../store/pg-connections.ts';
import { findDeviceByKey, insertDevice } from '../store/pg-devices.ts';
import { type FollowedSource, type SourceBefore, saveSource, sourcesOfDevice } from '../store/pg-sources.ts';

export type FollowDeps = {
  readonly database: Database;
  readonly address: DeviceAddress;
  readonly log: Logger;
  readonly now: () => number;
};

/**
 * A source was created or changed (docs/reference/devices.md#device-attributes). A key that is new in the account makes a
 * device in the source's Workspace; a device without Workspace is given the source's; one that moves with its source goes
 * along; a device of another Workspace is left alone, and the source gets a WARNING event. What other accounts have under
 * that key plays no part.
 */
export async function followSource(deps: FollowDeps, source: FollowedSource, deviceClass: DeviceClass): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const before = await saveSource(tx, source);
    if (before === 'stale') return;
    if (before?.deviceKey && before.deviceKey !== source.deviceKey) await touch(tx, before.deviceKey, source.ownerId);
    if (source.deviceKey !== null) await assign(tx, deps, source, source.deviceKey, deviceClass, before);
  });
}

async function assign(
  tx: Queryable,
  deps: FollowDeps,
  source: FollowedSource,
  deviceKey: string,
  deviceClass: DeviceClass,
  before: SourceBefore | undefined,
): Promise<void> {
  if (!isDeviceKey(deviceKey)) {
    deps.log.warn({ sourceId: source.sourceId }, 'source names no usable device key');
    return;
  }
  await insertDevice(tx, newDevice(deps, source, deviceKey, deviceClass));
  await tx.query('SELECT 1 FROM devices WHERE owner_id = $1 AND device_key = $2 FOR UPDATE', [
    source.ownerId,
    deviceKey,
  ]);
  const device = await findDeviceByKey(tx, source.ownerId, deviceKey);
  if (!device) return;
  if (!mayUse(device, source, before)) {
    deps.log.warn({ sourceId: source.sourceId, deviceKey }, 'source names a device that it may not use');
    const isNew = before?.deviceKey !== deviceKey || before.workspaceId !== source.workspaceId;
    const message = `Device ${deviceKey} is not available to this source`;
    if (isNew) await recordEvents(tx, [{ source, level: 'WARNING', message, timeMs: deps.now() }]);
    return;
  }
  await tx.query('UPDATE devices SET workspace_id = $2 WHERE device_id = $1 AND workspace_id IS DISTINCT FROM $2', [
    device.deviceId,
    source.workspaceId,
  ]);
  await driveSchedule(tx, device);
  await notifyDevice(tx, device.deviceId);
}

/** Same Workspace, none yet, or the Workspace that the source has just left with it. */
const mayUse = (device: Device, source: FollowedSource, before: SourceBefore | undefined): boolean =>
  device.workspaceId === null ||
  device.workspaceId === source.workspaceId ||
  (before?.deviceKey === device.deviceKey && before.workspaceId === device.workspaceId);

function newDevice(deps: FollowDeps, source: FollowedSource, deviceKey: string, deviceClass: DeviceClass): Device {
  if (deviceKey.length === 15 && !isImei(deviceKey)) deps.log.warn({ deviceKey }, 'check digit of the IMEI is wrong');
  const createdMs = deps.now();
  return {
    deviceId: newObjectId(createdMs),
    ownerId: source.ownerId,
    workspaceId: source.workspaceId,
    deviceKey,
    deviceClass,
    phoneNumber: null,
    secretHash: null,
    config: deviceClass === 'ScoutDevice' ? scoutConfigOf({}, deps.address) : null,
    configRevision: 1,
    confirmedRevision: 0,
    software: {},
    createdMs,
    lastConnectedMs: null,
  };
}

/** The schedule of the oldest source drives the device's (docs/reference/devices.md#configuration-of-a-scout). */
async function driveSchedule(tx: Queryable, device: ShownDevice): Promise<void> {
  const [oldest] = await sourcesOfDevice(tx, device.deviceId);
  const wanted = SCHEDULE_TYPES.find((one) => one === oldest?.scheduleType);
  if (!device.config || !wanted || device.config.schedule.scheduleType === wanted) return;
  await tx.query(
    `UPDATE devices SET config = jsonb_set(config, '{schedule,scheduleType}', to_jsonb($2::text)), config_revision = config_revision + 1
     WHERE device_id = $1`,
    [device.deviceId, wanted],
  );
}

/** Whoever holds a connection of the device looks again whether it is still assigned. */
export async function touch(tx: Queryable, deviceKey: string, ownerId: string): Promise<void> {
  const { rows } = await tx.query<{ device_id: string }>(
    'SELECT device_id FROM devices WHERE device_key = $1 AND owner_id = $2',
    [deviceKey, ownerId],
  );
  for (const row of rows) await notifyDevice(tx, row.device_id);
}
