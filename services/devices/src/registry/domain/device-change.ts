import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '@catchment/json-body';
import { invalidAttribute, MASK } from '../../sources/index.ts';
import type { ShownDevice } from './device.ts';
import { configIn, jsonObjectOf, readPhoneNumber, readSecret } from './new-device.ts';
import { type DeviceAddress, type ScoutConfig, scoutConfigOf } from './scout-config.ts';

/** A checked body of PUT /devices/:id; undefined stays. */
type DeviceChange = {
  /** null: none from now on. */
  readonly secret: string | null | undefined;
  readonly phoneNumber: string | null | undefined;
  /** null: back to the defaults. */
  readonly config: JsonObject | null | undefined;
};

/**
 * Reads the body of PUT /devices/:id; read-only attributes are ignored, and secrets given back as they were shown stay.
 * @throws DomainError invalid_argument naming the attribute and the rule
 */
export function readDeviceChange(body: Uint8Array): DeviceChange {
  const given = jsonObjectOf(body);
  return {
    secret: given.secret === MASK ? undefined : readSecret(given),
    phoneNumber: readPhoneNumber(given),
    config: configIn(given),
  };
}

/** Changes the device in everything but its secret. @throws DomainError invalid_argument */
export function changedDevice(device: ShownDevice, change: DeviceChange, address: DeviceAddress): ShownDevice {
  const phoneNumber = change.phoneNumber === undefined ? device.phoneNumber : change.phoneNumber;
  if (change.config === undefined) return { ...device, phoneNumber };
  if (!device.config) {
    if (change.config === null) return { ...device, phoneNumber };
    throw invalidAttribute('config', 'must not be given: class Device has none');
  }
  const config = changedConfig(device.config, change.config, address);
  if (isDeepStrictEqual(config, device.config)) return { ...device, phoneNumber };
  return { ...device, phoneNumber, config, configRevision: device.configRevision + 1 };
}

function changedConfig(config: ScoutConfig, change: JsonObject | null, address: DeviceAddress): ScoutConfig {
  return scoutConfigOf(change === null ? {} : merged(config, change), address);
}

/** Objects attribute by attribute; a mask stands for what is stored. */
function merged(stored: JsonObject, given: JsonObject): JsonObject {
  const changes = Object.entries(given).map(([name, value]) => {
    const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
    if (value === MASK) return [name, before];
    return [name, isJsonObject(value) && isJsonObject(before) ? merged(before, value) : value];
  });
  return { ...stored, ...Object.fromEntries(changes) };
}
