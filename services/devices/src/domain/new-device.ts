import { invalid } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import { AttributeReader, invalidAttribute, isJsonObject, type JsonObject } from './attributes.ts';
import { DEVICE_CLASSES, type DeviceClass, isDeviceKey } from './device.ts';
import { MASK } from './device-view.ts';
import { type DeviceAddress, type ScoutConfig, scoutConfigOf } from './scout-config.ts';

/** A checked body of POST /devices. */
export type NewDevice = {
  readonly deviceClass: DeviceClass;
  /** undefined: one is generated. */
  readonly deviceKey: string | undefined;
  /** ObjectId or `@customId` of a Workspace, still to be resolved. */
  readonly workspaceRef: string;
  readonly phoneNumber: string | null;
  /** undefined: one is made; null: none. */
  readonly secret: string | null | undefined;
  readonly config: ScoutConfig | null;
};

/**
 * Reads the body of POST /devices; unknown and read-only attributes are ignored.
 * @throws DomainError invalid_argument naming the attribute and the rule
 */
export function newDeviceOf(body: Uint8Array, namespace: string, address: DeviceAddress): NewDevice {
  const given = jsonObjectOf(body);
  const read = new AttributeReader(given);
  const deviceClass = classOf(given._class, namespace);
  if (deviceClass === 'Device' && given.config !== undefined && given.config !== null) {
    throw invalidAttribute('config', 'must not be given: class Device has none');
  }
  const deviceKey = read.text('deviceKey', '', {
    pattern: /^(?:\d{15}|\d{12})$/,
    says: 'must be a 15-digit IMEI or a 12-digit number',
  });
  const config = deviceClass === 'ScoutDevice' ? scoutConfigOf(read.raw('config'), address) : null;
  const { workspaceId } = given;
  if (typeof workspaceId !== 'string' || !/^(?:[0-9a-fA-F]{24}|@.{1,255})$/u.test(workspaceId)) {
    throw invalidAttribute('workspaceId', 'must be the ObjectId or @customId of a Workspace');
  }
  return {
    deviceClass,
    deviceKey: isDeviceKey(deviceKey) ? deviceKey : undefined,
    workspaceRef: workspaceId,
    phoneNumber: readPhoneNumber(given) ?? null,
    secret: readSecret(given),
    config,
  };
}

function classOf(given: unknown, namespace: string): DeviceClass {
  if (given === undefined || given === null) return 'ScoutDevice';
  const prefix = `${namespace}.models.device.`;
  const bare = typeof given === 'string' && given.startsWith(prefix) ? given.slice(prefix.length) : given;
  const found = DEVICE_CLASSES.find((one) => one === bare);
  if (!found)
    throw invalidAttribute('_class', `must be one of ${DEVICE_CLASSES.map((one) => prefix + one).join(', ')}`);
  return found;
}

/** `secret` as given: undefined = silent, null = none. Never in an error text. */
export function readSecret({ secret }: JsonObject): string | null | undefined {
  if (secret === undefined || secret === null) return secret;
  if (typeof secret !== 'string' || !/^[\x20-\x7e]{8,128}$/.test(secret) || secret === MASK)
    throw invalidAttribute('secret', `must be 8 to 128 ASCII characters, other than ${MASK}`);
  return secret;
}

/** `phoneNumber` as given: undefined = silent, null = none. */
export function readPhoneNumber(given: JsonObject): string | null | undefined {
  if (given.phoneNumber === undefined) return undefined;
  const read = new AttributeReader(given);
  return read.text('phoneNumber', '', { pattern: /^\+\d{5,15}$/, says: 'must be + and 5 to 15 digits' }) || null;
}

export function jsonObjectOf(body: Uint8Array): JsonObject {
  const value = parseJsonBody(body);
  if (!isJsonObject(value)) throw invalid('INVALID_BODY', 'body: must be a JSON object');
  return value;
}
