import { isIPv4 } from 'node:net';
import { AttributeReader, invalidAttribute, isJsonObject, type JsonObject } from './attributes.ts';

export const SCHEDULE_TYPES = ['SERVER', 'REMOTE', 'NONE'] as const;
export type ScheduleType = (typeof SCHEDULE_TYPES)[number];
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;
export type ModemLogLevel = (typeof LOG_LEVELS)[number];

const ETHERNET = 'config.EthernetInterface';
const SERIAL = 'config.SerialInterface';

export type EthernetInterface = { gateway: string; subnet: string; ipAddress: string; _class: typeof ETHERNET };
export type SerialInterface = {
  name: string;
  speed: number;
  dataBits: number;
  parity: string;
  stopBits: number;
  rts: boolean;
  cts: boolean;
  _class: typeof SERIAL;
};

/** Configuration of a ScoutDevice (docs/reference/devices.md#configuration-of-a-scout). Classes without the installation's prefix. */
export type ScoutConfig = {
  utcOffset: string;
  simPin: string;
  schedule: {
    scheduleType: ScheduleType;
    statusIntervalSeconds: number;
    dataIntervalSeconds: number;
    dataIntervalOffsetSeconds: number;
  };
  logLevel: ModemLogLevel;
  interfaces: Record<string, EthernetInterface | SerialInterface>;
  gpsEnabled: boolean;
  connection: { host: string; port: number; retryMax: number; retryDelaySeconds: number };
  apn: { host: string; user: string; pass: string };
};

/** Where modems reach this installation. */
export type DeviceAddress = { readonly host: string; readonly port: number };

const SPEEDS = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const;
const DAY_SECONDS = 86_400;
const MAX_INTERFACES = 8;
const INTERFACE_NAME = /^[A-Z][A-Z0-9]{0,15}$/;
const SHORT_TEXT = { pattern: /^[^\p{C}]{0,100}$/u, says: 'must be a text of at most 100 printable characters' };

/**
 * The complete configuration that a partial one gives: defaults in docs/reference/devices.md#configuration-of-a-scout where
 * it is silent or null.
 * @throws DomainError invalid_argument naming `config.<attribute>` and the rule
 */
export function scoutConfigOf(partial: JsonObject, address: DeviceAddress): ScoutConfig {
  const read = new AttributeReader(partial, 'config');
  return {
    utcOffset: read.text('utcOffset', '+00:00', {
      pattern: /^[+-](?:0\d|1[0-4]):[0-5]\d$/,
      says: 'must be an offset such as +13:00',
    }),
    simPin: read.text('simPin', '', { pattern: /^(?:\d{4,8})?$/, says: 'must be empty or 4 to 8 digits' }),
    schedule: scheduleOf(read.object('schedule')),
    logLevel: read.oneOf('logLevel', 'INFO', LOG_LEVELS),
    interfaces: interfacesOf(read.raw('interfaces')),
    gpsEnabled: read.bool('gpsEnabled', true),
    connection: connectionOf(read.object('connection'), address),
    apn: apnOf(read.object('apn')),
  };
}

function scheduleOf(read: AttributeReader): ScoutConfig['schedule'] {
  const dataIntervalSeconds = read.int('dataIntervalSeconds', 3600, 1, 7 * DAY_SECONDS);
  return {
    scheduleType: read.oneOf('scheduleType', 'SERVER', SCHEDULE_TYPES),
    statusIntervalSeconds: read.int('statusIntervalSeconds', 600, 1, DAY_SECONDS),
    dataIntervalSeconds,
    dataIntervalOffsetSeconds: read.int('dataIntervalOffsetSeconds', -1, -1, dataIntervalSeconds - 1),
  };
}

function connectionOf(read: AttributeReader, address: DeviceAddress): ScoutConfig['connection'] {
  return {
    host: read.text('host', address.host, {
      pattern: /^[A-Za-z0-9.:-]{1,253}$/,
      says: 'must be a host name or address',
    }),
    port: read.int('port', address.port, 1, 65_535),
    retryMax: read.int('retryMax', 3, 0, 100),
    retryDelaySeconds: read.int('retryDelaySeconds', 30, 1, DAY_SECONDS),
  };
}

const apnOf = (read: AttributeReader): ScoutConfig['apn'] => ({
  host: read.text('host', '', SHORT_TEXT),
  user: read.text('user', '', SHORT_TEXT),
  pass: read.text('pass', '', SHORT_TEXT),
});

/** The standard interfaces and those given; a further one must tell its `_class`. */
function interfacesOf(given: JsonObject): ScoutConfig['interfaces'] {
  const kinds: Record<string, string> = { ETH0: ETHERNET, COM1: SERIAL };
  for (const [name, value] of Object.entries(given)) {
    const path = `config.interfaces.${name.slice(0, 32)}`;
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
    throw invalidAttribute('config.interfaces', `must have at most ${MAX_INTERFACES} entries`);
  }
  const interfaces = new AttributeReader(given, 'config.interfaces');
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => {
      const read = interfaces.object(name);
      return [name, kind === ETHERNET ? ethernetOf(read) : serialOf(read)];
    }),
  );
}

const classWithoutPrefix = (text: string): string => `config.${text.slice(text.lastIndexOf('.') + 1)}`;

function ethernetOf(read: AttributeReader): EthernetInterface {
  const address = (name: string) => {
    const text = read.text(name, '', { pattern: /^[\d.]*$/, says: 'must be empty or an IPv4 address' });
    if (text !== '' && !isIPv4(text)) throw invalidAttribute(read.nameOf(name), 'must be empty or an IPv4 address');
    return text;
  };
  return { gateway: address('gateway'), subnet: address('subnet'), ipAddress: address('ipAddress'), _class: ETHERNET };
}

const serialOf = (read: AttributeReader): SerialInterface => ({
  name: read.text('name', 'UART1', { pattern: /^[A-Za-z0-9]{1,16}$/, says: 'must be 1 to 16 letters or digits' }),
  speed: read.oneOf('speed', 9600, SPEEDS),
  dataBits: read.oneOf('dataBits', 8, [7, 8]),
  parity: read.oneOf('parity', 'none', ['none', 'odd', 'even']),
  stopBits: read.oneOf('stopBits', 1, [1, 2]),
  rts: read.bool('rts', false),
  cts: read.bool('cts', false),
  _class: SERIAL,
});
