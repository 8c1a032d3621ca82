import { invalid } from '@catchment/errors';
import { isJsonObject, type JsonObject, parseJsonBody } from '@catchment/json-body';
import { invalidAttribute, MASK, orNull, readAttributes, schemaOf, text } from '../../sources/index.ts';
import { DEVICE_CLASSES, DEVICE_KEY, type DeviceClass, SOFTWARE_SCHEMA } from './device.ts';
import { commandSchema } from './device-command.ts';
import { type DeviceAddress, type ScoutConfig, scoutConfigOf, scoutConfigSchema } from './scout-config.ts';

/** The body of POST /devices is checked. */
type NewDevice = {
  readonly deviceClass: DeviceClass;
  /** undefined: one is generated. */
  readonly deviceKey: string | undefined;
  /** The ObjectId or `@customId` of a Workspace is still to be resolved. */
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
  const deviceClass = classOf(given._class, namespace);
  if (deviceClass === 'Device' && given.config !== undefined && given.config !== null) {
    throw invalidAttribute('config', 'must not be given: class Device has none');
  }
  const { deviceKey } = readAttributes(KEY, given);
  const config = deviceClass === 'ScoutDevice' ? scoutConfigOf(configIn(given) ?? {}, address) : null;
  const { workspaceId } = given;
  if (typeof workspaceId !== 'string' || !/^(?:[0-9a-fA-F]{24}|@.{1,255})$/u.test(workspaceId)) {
    throw invalidAttribute('workspaceId', 'must be the ObjectId or @customId of a Workspace');
  }
  return {
    deviceClass,
    deviceKey: deviceKey || undefined,
    workspaceRef: workspaceId,
    phoneNumber: readPhoneNumber(given) ?? null,
    secret: readSecret(given),
    config,
  };
}

const KEY = {
  deviceKey: text('', { pattern: DEVICE_KEY, says: 'must be a 15-digit IMEI or a 12-digit number' }),
};
const PHONE = { phoneNumber: text('', { pattern: /^\+\d{5,15}$/, says: 'must be + and 5 to 15 digits' }) };
const SECRET = /^[\x20-\x7e]{8,128}$/;

/** Returns JSON Schemas of what bodies may have, by attribute, and of what is shown only, for the description of the API. */
export const deviceSchemas = (namespace: string): JsonObject => ({
  ...(schemaOf({ ...KEY, ...PHONE }).properties as JsonObject),
  secret: orNull({ type: 'string', pattern: SECRET.source }),
  config: orNull(scoutConfigSchema()),
  classes: DEVICE_CLASSES.map((name) => `${namespace}.models.device.${name}`),
  software: SOFTWARE_SCHEMA,
  command: commandSchema(),
});

function classOf(given: unknown, namespace: string): DeviceClass {
  if (given === undefined || given === null) return 'ScoutDevice';
  const prefix = `${namespace}.models.device.`;
  const bare = typeof given === 'string' && given.startsWith(prefix) ? given.slice(prefix.length) : given;
  const found = DEVICE_CLASSES.find((deviceClass) => deviceClass === bare);
  if (!found)
    throw invalidAttribute(
      '_class',
      `must be one of ${DEVICE_CLASSES.map((deviceClass) => prefix + deviceClass).join(', ')}`,
    );
  return found;
}

/** Returns `secret` as given: undefined = silent, null = none. Never in an error text. */
export function readSecret({ secret }: JsonObject): string | null | undefined {
  if (secret === undefined || secret === null) return secret;
  if (typeof secret !== 'string' || !SECRET.test(secret) || secret === MASK)
    throw invalidAttribute('secret', `must be 8 to 128 ASCII characters, other than ${MASK}`);
  return secret;
}

/** Returns `phoneNumber` as given: undefined = silent, null = none. */
export const readPhoneNumber = (given: JsonObject): string | null | undefined =>
  given.phoneNumber === undefined ? undefined : readAttributes(PHONE, given).phoneNumber || null;

/** Returns `config` as given: undefined = silent, null = the defaults. */
export function configIn({ config }: JsonObject): JsonObject | null | undefined {
  if (config === undefined || config === null || isJsonObject(config)) return config;
  throw invalidAttribute('config', 'must be an object');
}

export function jsonObjectOf(body: Uint8Array): JsonObject {
  const value = parseJsonBody(body);
  if (!isJsonObject(value)) throw invalid('INVALID_BODY', 'body: must be a JSON object');
  return value;
}
