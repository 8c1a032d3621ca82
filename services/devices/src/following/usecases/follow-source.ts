import { isImei, newObjectId } from '@catchment/ids';
import type { Logger } from '@catchment/telemetry';
import {
  type Device,
  type DeviceAddress,
  type DeviceClass,
  type FollowedSource,
  isDeviceKey,
  type ShownDevice,
  type SourceBefore,
  scoutConfigOf,
} from '../../registry/index.ts';
import { isRefusalNews, mayUse, newScheduleType } from '../domain/device-of-source.ts';
import type { Store, Stored } from './ports.ts';

export type FollowDeps = {
  readonly store: Store;
  readonly address: DeviceAddress;
  readonly log: Logger;
  readonly now: () => number;
};

/**
 * A source was created or changed (docs/reference/devices.md#device-attributes). A key that is new in the account makes a
 * device in the source's Workspace; a device without Workspace is given the source's; one that moves with its source goes
 * along; a device of another Workspace is not changed, and the source gets a WARNING event. Registrations of other accounts under
 * that key are not considered.
 */
export async function followSource(deps: FollowDeps, source: FollowedSource, deviceClass: DeviceClass): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const before = await tx.saveSource(source);
    if (before === 'stale') return;
    if (before?.deviceKey && before.deviceKey !== source.deviceKey)
      await tx.notifyDeviceOfKey(source.ownerId, before.deviceKey);
    if (source.deviceKey !== null) await assign(tx, deps, source, { deviceKey: source.deviceKey, deviceClass }, before);
  });
}

/** A source names this device. */
type NamedDevice = Pick<Device, 'deviceKey' | 'deviceClass'>;

async function assign(
  tx: Stored,
  deps: FollowDeps,
  source: FollowedSource,
  named: NamedDevice,
  before: SourceBefore | undefined,
): Promise<void> {
  const { deviceKey } = named;
  if (!isDeviceKey(deviceKey)) {
    deps.log.warn({ sourceId: source.sourceId }, 'source names no usable device key');
    return;
  }
  await tx.insertDevice(newDevice(deps, source, named));
  const device = await tx.lockDeviceByKey(source.ownerId, deviceKey);
  if (!device) return;
  if (!mayUse(device, source, before)) {
    deps.log.warn({ sourceId: source.sourceId, deviceKey }, 'source names a device that it may not use');
    const message = `Device ${deviceKey} is not available to this source`;
    if (isRefusalNews(source, before))
      await tx.recordEvents([{ source, level: 'WARNING', message, timeMs: deps.now() }]);
    return;
  }
  await tx.moveDevice(device.deviceId, source.workspaceId);
  await driveSchedule(tx, device);
  await tx.notifyDevice(device.deviceId);
}

function newDevice(deps: FollowDeps, source: FollowedSource, { deviceKey, deviceClass }: NamedDevice): Device {
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
async function driveSchedule(tx: Stored, device: ShownDevice): Promise<void> {
  const [oldest] = await tx.sourcesOfDevice(device.deviceId);
  const wanted = newScheduleType(device, oldest);
  if (wanted) await tx.setScheduleType(device.deviceId, wanted);
}
