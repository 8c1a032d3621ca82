import { hash } from 'node:crypto';
import { type DomainError, invalid } from '@catchment/errors';
import { isJsonObject, type JsonObject } from '@catchment/json-body';
import { MAX_INSTANT_MS, MIN_INSTANT_MS, tryParseInstantMs } from '@catchment/time';

import type { UplinkFrame } from './uplink-frame.ts';

/** A network server says this of an uplink of a device. */
export type Uplink = {
  /** It has 16 hexadecimal digits in upper case; undefined: the network does not report it. */
  readonly deviceEui: string | undefined;
  /** The network received it at this time; Unix ms. */
  readonly timeMs: number;
  readonly fPort: number;
  /** Absent: the payload is not there, or was not sent. */
  readonly payload?: Buffer;
  /** The network server has decoded this. */
  readonly decoded?: Readonly<Record<string, unknown>>;
  readonly radio: Radio;
  /** Absent: nothing distinguishes it from others. */
  readonly frame?: UplinkFrame;
};

export type Radio = {
  readonly rssi?: number;
  readonly snr?: number;
  readonly gateways?: number;
  readonly port?: number;
  readonly counter?: number;
  /** Percent. */
  readonly battery?: number;
  /** dB. */
  readonly margin?: number;
};

export type Network = 'TTS' | 'CHIRPSTACK';
/** LoRaWAN carries 242 bytes at the most; other networks a little more. */
const MAX_PAYLOAD_BYTES = 4_096;

/**
 * Reads the uplink in a document of a network server (docs/reference/iot.md#lorawan-uplinks).
 * @param event as the address has it (`?event=`), if it has it
 * @param arrivalMs counts where the document has no time
 * @returns undefined: another event, which has no data
 * @throws DomainError invalid_argument: no document of this network server
 */
export function readUplink(
  network: Network,
  document: unknown,
  event: string | undefined,
  arrivalMs: number,
): Uplink | undefined {
  if (!isJsonObject(document)) throw refused('must be a JSON object');
  return network === 'TTS' ? ofTheThingsStack(document, arrivalMs) : ofChirpStack(document, event, arrivalMs);
}

/** Returns the device that has joined its network anew, where a document says so: its counter begins anew. */
export function joinedDevice(network: Network, document: unknown, event: string | undefined): string | undefined {
  if (!isJsonObject(document)) return undefined;
  if (network === 'TTS') {
    const ids = objectAt(document, 'end_device_ids');
    return objectAt(document, 'join_accept') && (euiOf(textAt(ids, 'dev_eui')) ?? textAt(ids, 'device_id'));
  }
  return event === 'join'
    ? euiOf(textAt(objectAt(document, 'deviceInfo'), 'devEui') ?? textAt(document, 'devEUI'))
    : undefined;
}

/**
 * @param session what the network reports about it, the surest first
 * @param counter as in the document: some leave zeros out
 */
function frameOf(
  uplink: Uplink,
  device: string | undefined,
  session: readonly (string | undefined)[],
  counter: number | undefined,
): Uplink {
  const known = session.find((value) => value !== undefined && value !== '');
  if (device === undefined || (known === undefined && counter === undefined)) return uplink;
  const { payload, fPort, timeMs } = uplink;
  const digest = payload && hash('sha256', Buffer.concat([Buffer.from(`${fPort} `), payload]), 'buffer');
  return { ...uplink, frame: { device, session: known?.slice(0, 100) ?? '', counter: counter ?? 0, digest, timeMs } };
}

/** https://www.thethingsindustries.com/docs/integrations/data-formats/ */
function ofTheThingsStack(document: JsonObject, arrivalMs: number): Uplink | undefined {
  const ids = objectAt(document, 'end_device_ids');
  if (!ids) throw refused('end_device_ids is missing: this is no message of The Things Stack v3');
  const message = objectAt(document, 'uplink_message');
  if (!message) return undefined;
  // The document leaves zero values out.
  const fPort = wholeAt(message, 'f_port') ?? 0;
  const battery = numberAt(objectAt(message, 'last_battery_percentage'), 'value');
  const decoded = objectAt(message, 'decoded_payload');
  const payload = bytesAt(message, 'frm_payload', 'uplink_message.frm_payload');
  const counter = wholeAt(message, 'f_cnt');
  const uplink = {
    deviceEui: euiOf(textAt(ids, 'dev_eui')),
    timeMs: timeOf(message.received_at) ?? timeOf(document.received_at) ?? arrivalMs,
    fPort,
    ...(payload && { payload }),
    ...(decoded && { decoded }),
    radio: {
      ...signalOf(listAt(message, 'rx_metadata'), 'snr'),
      port: fPort,
      counter: counter ?? 0,
      ...(battery !== undefined && { battery }),
    },
  };
  // People try their settings with such a message, again and again.
  if (document.simulated === true) return uplink;
  const session = [textAt(message, 'session_key_id'), textAt(ids, 'dev_addr')];
  return frameOf(uplink, uplink.deviceEui ?? textAt(ids, 'device_id'), session, counter);
}

/** Reads https://www.chirpstack.io/docs/chirpstack/integrations/events.html, and the two JSON formats of v3 */
function ofChirpStack(document: JsonObject, event: string | undefined, arrivalMs: number): Uplink | undefined {
  const info = objectAt(document, 'deviceInfo');
  const eui = textAt(info, 'devEui') ?? textAt(document, 'devEUI');
  if (eui === undefined) throw refused('deviceInfo.devEui is missing: this is no event of ChirpStack');
  const kind = event ?? kindOf(document);
  if (kind !== 'up' && kind !== 'status') return undefined;
  const gateways = listAt(document, 'rxInfo');
  const heard = gateways.map((gateway) => timeOf(gateway.time)).find((time) => time !== undefined);
  const common = {
    deviceEui: euiOf(eui),
    timeMs: timeOf(document.time) ?? timeOf(document.publishedAt) ?? heard ?? arrivalMs,
    fPort: wholeAt(document, 'fPort') ?? 0,
  };
  if (kind === 'status') return { ...common, radio: stateOf(document) };
  const decoded = objectAt(document, 'object') ?? parsedAt(document, 'objectJSON');
  const payload = bytesAt(document, 'data', 'data');
  const counter = wholeAt(document, 'fCnt');
  const uplink = {
    ...common,
    ...(payload && { payload }),
    ...(decoded && { decoded }),
    radio: {
      ...signalOf(gateways, gateways.some((gateway) => 'loRaSNR' in gateway) ? 'loRaSNR' : 'snr'),
      port: common.fPort,
      counter: counter ?? 0,
    },
  };
  return frameOf(uplink, common.deviceEui, [textAt(document, 'devAddr')], counter);
}

/** Integrations that were set up by hand may leave the name of the event out of the address. */
function kindOf(document: JsonObject): 'up' | 'status' | undefined {
  if ('rxInfo' in document || 'data' in document || 'object' in document) return 'up';
  return 'batteryLevel' in document || 'margin' in document ? 'status' : undefined;
}

function stateOf(document: JsonObject): Radio {
  const battery = document.batteryLevelUnavailable === true ? undefined : numberAt(document, 'batteryLevel');
  const margin = numberAt(document, 'margin');
  return { ...(battery !== undefined && { battery }), ...(margin !== undefined && { margin }) };
}

/** Signal at the gateway that has received the message best. */
function signalOf(gateways: readonly JsonObject[], snrName: string): Radio {
  const heard = gateways.map((gateway) => ({ rssi: numberAt(gateway, 'rssi'), snr: numberAt(gateway, snrName) }));
  const [best] = heard.sort((a, b) => (b.rssi ?? Number.NEGATIVE_INFINITY) - (a.rssi ?? Number.NEGATIVE_INFINITY));
  return {
    ...(best?.rssi !== undefined && { rssi: best.rssi }),
    ...(best?.snr !== undefined && { snr: best.snr }),
    ...(heard.length > 0 && { gateways: heard.length }),
  };
}

function objectAt(document: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = document?.[name];
  return isJsonObject(value) ? value : undefined;
}
function parsedAt(document: JsonObject, name: string): JsonObject | undefined {
  const text = textAt(document, name);
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    throw refused(`${name}: must be JSON`);
  }
}
function textAt(document: JsonObject | undefined, name: string): string | undefined {
  const value = document?.[name];
  return typeof value === 'string' ? value : undefined;
}
function numberAt(document: JsonObject | undefined, name: string): number | undefined {
  const value = document?.[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
function wholeAt(document: JsonObject, name: string): number | undefined {
  const value = numberAt(document, name);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
function listAt(document: JsonObject, name: string): readonly JsonObject[] {
  const value = document[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function bytesAt(document: JsonObject, name: string, shown: string): Buffer | undefined {
  const text = textAt(document, name);
  if (!text) return undefined;
  if (text.length > 2 * MAX_PAYLOAD_BYTES) throw refused(`${shown}: must have ${MAX_PAYLOAD_BYTES} bytes at the most`);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw refused(`${shown}: must be Base64`);
  return Buffer.from(text, 'base64');
}

function timeOf(value: unknown): number | undefined {
  const timeMs = typeof value === 'string' && value.length <= 40 ? tryParseInstantMs(value) : undefined;
  return timeMs !== undefined && timeMs >= MIN_INSTANT_MS && timeMs <= MAX_INSTANT_MS ? timeMs : undefined;
}

/** Reads hexadecimal digits, or Base64 as JSON of Protocol Buffers has bytes. */
function euiOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9a-fA-F]{16}$/.test(text)) return text.toUpperCase();
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 8 ? bytes.toString('hex').toUpperCase() : undefined;
}

const refused = (message: string): DomainError => invalid('INVALID_UPLINK', `body: ${message}`);
