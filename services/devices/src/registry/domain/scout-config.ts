import { isIPv4 } from 'node:net';
import { LISTENERS } from '@catchment/contracts/transports';
import { isJsonObject, type JsonObject } from '@catchment/json-body';
import {
  type Attribute,
  choice,
  flag,
  invalidAttribute,
  masked,
  object,
  readAttributes,
  schemaOf,
  text,
  whole,
} from '../../sources/index.ts';

export const SCHEDULE_TYPES = ['SERVER', 'REMOTE', 'NONE'] as const;
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;
export type ModemLogLevel = (typeof LOG_LEVELS)[number];

/** Modems reach this installation here. */
export type DeviceAddress = { readonly host: string; readonly port: number };

const ETHERNET = 'config.EthernetInterface';
const SERIAL = 'config.SerialInterface';
const SPEEDS = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const;
const DAY_SECONDS = 86_400;
const MAX_INTERFACES = 8;
const INTERFACE_NAME = /^[A-Z][A-Z0-9]{0,15}$/;
const SHORT_TEXT = { pattern: /^[^\p{C}]{0,100}$/u, says: 'must be a text of at most 100 printable characters' };

const IPV4: Attribute<string> = {
  default: '',
  schema: { anyOf: [{ const: '' }, { type: 'string', format: 'ipv4' }] },
  read: (value, at) => {
    if (typeof value === 'string' && (value === '' || isIPv4(value))) return value;
    throw invalidAttribute(at, 'must be empty or an IPv4 address');
  },
};
const INTERFACES = {
  [ETHERNET]: { gateway: IPV4, subnet: IPV4, ipAddress: IPV4 },
  [SERIAL]: {
    name: text('UART1', { pattern: /^[A-Za-z0-9]{1,16}$/, says: 'must be 1 to 16 letters or digits' }),
    speed: choice(9600, SPEEDS),
    dataBits: choice(8, [7, 8]),
    parity: choice('none', ['none', 'odd', 'even']),
    stopBits: choice(1, [1, 2]),
    rts: flag(false),
    cts: flag(false),
  },
} as const;
type InterfaceClass = keyof typeof INTERFACES;

/** A configuration has these attributes. The address that the modem connects to is this installation's by default. */
const attributesOf = (address: DeviceAddress) => ({
  utcOffset: text('+00:00', { pattern: /^[+-](?:0\d|1[0-4]):[0-5]\d$/, says: 'must be an offset such as +13:00' }),
  simPin: masked(text('', { pattern: /^(?:\d{4,8})?$/, says: 'must be empty or 4 to 8 digits' })),
  schedule: object({
    scheduleType: choice('SERVER', SCHEDULE_TYPES),
    statusIntervalSeconds: whole(600, 1, DAY_SECONDS),
    dataIntervalSeconds: whole(3600, 1, 7 * DAY_SECONDS),
    dataIntervalOffsetSeconds: whole(-1, -1, 7 * DAY_SECONDS - 1),
  }),
  logLevel: choice('INFO', LOG_LEVELS),
  interfaces: INTERFACE_MAP,
  gpsEnabled: flag(true),
  connection: object({
    host: text(address.host, { pattern: /^[A-Za-z0-9.:-]{1,253}$/, says: 'must be a host name or address' }),
    port: whole(address.port, 1, 65_535),
    retryMax: whole(3, 0, 100),
    retryDelaySeconds: whole(30, 1, DAY_SECONDS),
  }),
  apn: object({ host: text('', SHORT_TEXT), user: text('', SHORT_TEXT), pass: masked(text('', SHORT_TEXT)) }),
});

const INTERFACE_MAP: Attribute<Readonly<Record<string, JsonObject>>> = {
  default: interfacesOf({}, ''),
  schema: {
    type: 'object',
    maxProperties: MAX_INTERFACES,
    propertyNames: { pattern: INTERFACE_NAME.source },
    additionalProperties: {
      anyOf: [
        ...Object.entries(INTERFACES).map(([name, of]) => schemaOf({ ...of, _class: classNamed(name) })),
        { type: 'null' },
      ],
    },
  },
  read: (value, at) => {
    if (isJsonObject(value)) return interfacesOf(value, at);
    throw invalidAttribute(at, 'must be an object');
  },
};

/** Configuration of a ScoutDevice (docs/reference/devices.md#configuration-of-a-scout). Classes without the installation's prefix. */
export type ScoutConfig = ReturnType<typeof scoutConfigOf>;

/**
 * Returns the complete configuration that a partial one gives: defaults in docs/reference/devices.md#configuration-of-a-scout where
 * it is silent or null.
 * @throws DomainError invalid_argument naming `config.<attribute>` and the rule
 */
export function scoutConfigOf(partial: JsonObject, address: DeviceAddress) {
  const config = readAttributes(attributesOf(address), partial, 'config');
  const { dataIntervalSeconds, dataIntervalOffsetSeconds } = config.schedule;
  if (dataIntervalOffsetSeconds >= dataIntervalSeconds)
    throw invalidAttribute(
      'config.schedule.dataIntervalOffsetSeconds',
      `must be a whole number from -1 to ${dataIntervalSeconds - 1}`,
    );
  return config;
}

/** Returns the JSON Schema of a configuration for the description of the API. */
export const scoutConfigSchema = (): JsonObject => schemaOf(attributesOf({ host: '', port: LISTENERS.scout.port }));

/** Returns the standard interfaces and those given; a further one must have its `_class`. */
function interfacesOf(given: JsonObject, at: string): Readonly<Record<string, JsonObject>> {
  const kinds: Record<string, InterfaceClass> = { ETH0: ETHERNET, COM1: SERIAL };
  for (const [name, value] of Object.entries(given)) {
    const path = `${at}.${name.slice(0, 32)}`;
    if (!INTERFACE_NAME.test(name))
      throw invalidAttribute(path, 'must be named by 1 to 16 upper-case letters or digits');
    if (value === null) continue;
    if (!isJsonObject(value)) throw invalidAttribute(path, 'must be an object');
    const kind = typeof value._class === 'string' ? classWithoutPrefix(value._class) : kinds[name];
    if (kind !== ETHERNET && kind !== SERIAL) {
      throw invalidAttribute(`${path}._class`, 'must be EthernetInterface or SerialInterface');
    }
    kinds[name] = kind;
  }
  if (Object.keys(kinds).length > MAX_INTERFACES) {
    throw invalidAttribute(at, `must have at most ${MAX_INTERFACES} entries`);
  }
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => {
      const part = Object.hasOwn(given, name) && isJsonObject(given[name]) ? given[name] : {};
      return [name, { ...readAttributes(INTERFACES[kind], part, `${at}.${name}`), _class: kind }];
    }),
  );
}

/** Accepts the class under the prefix of any interface. */
function classNamed(name: string): Attribute<string> {
  const [, last = ''] = name.split('.');
  return text('', { pattern: new RegExp(`(^|\\.)${last}$`), says: `must be ${last}` });
}

const classWithoutPrefix = (name: string): string => `config.${name.slice(name.lastIndexOf('.') + 1)}`;
