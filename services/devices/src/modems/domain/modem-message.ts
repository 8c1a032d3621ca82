import { isJsonObject, type JsonObject } from '@catchment/json-body';
import { parseTimeValueMs } from '@catchment/time';
import { type Ident, isDeviceKey, LOG_LEVELS, type ModemLogLevel } from '../../registry/index.ts';
import { JsonText } from '../../sources/index.ts';

/** A status message has these values in the units of docs/modem-protocol.md. */
const STATUS_FIELDS = ['signal', 'supply', 'battery', 'temperature', 'uptime'] as const;
export type StatusField = (typeof STATUS_FIELDS)[number];
export type ModemStatus = {
  /** Unix ms; undefined = now. */
  readonly timeMs: number | undefined;
  readonly values: Partial<Record<StatusField, number>>;
  readonly position: { readonly latitude: number; readonly longitude: number } | undefined;
};

export type DataMessage = {
  readonly type: 'data';
  readonly seq: number;
  readonly source: string | undefined;
  readonly jts: JsonObject | JsonText;
  /** The modem sent this line, where `jts` was taken out of it as text. */
  readonly line?: string;
};

/** A modem sends these after its identification. `bad` says what is wrong; with a `seq` it is refused by number. */
export type ModemMessage =
  | DataMessage
  | { readonly type: 'status'; readonly status: ModemStatus }
  | { readonly type: 'log'; readonly level: ModemLogLevel; readonly message: string }
  | { readonly type: 'ack'; readonly revision: number }
  | { readonly type: 'nack'; readonly revision: number; readonly message: string }
  /** A modem answers a command, which is named by its id. */
  | { readonly type: 'answer'; readonly command: string; readonly failure: string | undefined }
  /** The logger behind the modem sent these bytes. */
  | { readonly type: 'pipe'; readonly bytes: Uint8Array }
  | { readonly type: 'bad'; readonly seq: number | undefined; readonly message: string };

const SESSION = /^[A-Za-z0-9_-]{1,64}$/;
const VERSION = /^[\x20-\x7e]{1,64}$/;
/** Nearly all modems begin a data message so. The document is what follows, without the last bracket, unless other attributes follow it. */
const USUAL_DATA = /^\{"type":"data","seq":([1-9]\d{0,14}),(?:"source":"([ !#-[\]-\uffff]{1,255})",)?"jts":(?=\{)/;
const COMMAND_ID = /^[0-9a-f]{24}$/;
const LOG_CHARACTERS = 1_000;
const PIPE_CHARACTERS = 128 * 1024;

const bad = (message: string, seq?: number): ModemMessage => ({ type: 'bad', seq, message });

/** Reads the first line of a connection; undefined when it is no identification. */
export function parseIdent(text: string): Ident | undefined {
  const message = jsonObject(text);
  if (message?.type !== 'ident' || typeof message.deviceKey !== 'string' || !isDeviceKey(message.deviceKey))
    return undefined;
  const { secret = '', session = '' } = message;
  if (typeof secret !== 'string' || typeof session !== 'string' || (session !== '' && !SESSION.test(session)))
    return undefined;
  const reported = isJsonObject(message.software) ? message.software : {};
  const version = (name: string) => {
    const value = reported[name];
    return typeof value === 'string' && VERSION.test(value) ? { [name]: value } : {};
  };
  const branch = (['RELEASE', 'DEVELOPMENT', 'NONE'] as const).find((known) => known === reported.branch);
  return {
    deviceKey: message.deviceKey,
    secret: secret || undefined,
    session,
    software: {
      ...version('appVersion'),
      ...version('firmwareVersion'),
      ...version('bootloaderVersion'),
      ...(branch && { branch }),
    },
  };
}

/** A line after the identification. Never throws. A document of data is left as its text, for historic to read it, once. */
export function parseModemMessage(text: string): ModemMessage {
  const head = text.endsWith(']}}') ? USUAL_DATA.exec(text) : null;
  if (!head) return readLine(text);
  const jts = new JsonText(text.slice(head[0].length, -1));
  return { type: 'data', seq: Number(head[1]), source: head[2], jts, line: text };
}

/**
 * Reads the whole line of a data message that was refused.
 * @returns undefined where that is nothing else
 */
export const readAgain = ({ jts, line = '' }: DataMessage): ModemMessage | undefined =>
  jts instanceof JsonText && jts.read() === undefined ? readLine(line) : undefined;

function readLine(text: string): ModemMessage {
  const message = jsonObject(text);
  if (!message) return bad('the line is not a JSON object', seqInHead(text));
  switch (message.type) {
    case 'data':
      return dataOf(message);
    case 'status':
      return statusOf(message);
    case 'log':
      return logOf(message);
    case 'pipe':
      return pipeOf(message);
    case 'ack':
    case 'nack':
      if (typeof message.command === 'string' && COMMAND_ID.test(message.command))
        return {
          type: 'answer',
          command: message.command,
          failure: message.type === 'ack' ? undefined : cut(message.message) || 'no reason given',
        };
      if (!isWhole(message.revision, 1, 2 ** 31 - 1)) return bad('revision: must be a whole number from 1');
      return message.type === 'ack'
        ? { type: 'ack', revision: message.revision }
        : { type: 'nack', revision: message.revision, message: cut(message.message) };
    default:
      return bad('type: must be one of data, status, log, ack, nack, pipe');
  }
}

/** Returns the sequence of a data message of which only the beginning can be read: `type` and `seq` come first on the wire. */
export function seqInHead(head: string): number | undefined {
  const digits = /^\s*\{\s*"type"\s*:\s*"data"\s*,\s*"seq"\s*:\s*(\d{1,16})\s*[,}]/.exec(head)?.[1];
  const seq = Number(digits);
  return digits !== undefined && isWhole(seq, 1, Number.MAX_SAFE_INTEGER) ? seq : undefined;
}

function dataOf(message: JsonObject): ModemMessage {
  const { seq, jts, source } = message;
  if (!isWhole(seq, 1, Number.MAX_SAFE_INTEGER)) return bad('seq: must be a whole number from 1');
  if (!isJsonObject(jts)) return bad('jts: must be an object', seq);
  if (source !== undefined && (typeof source !== 'string' || source.length === 0 || source.length > 255)) {
    return bad('source: must be a text of 1 to 255 characters', seq);
  }
  return { type: 'data', seq, jts, source };
}

function statusOf(message: JsonObject): ModemMessage {
  const timeMs = message.time === undefined ? undefined : parseTimeValueMs(message.time);
  if (message.time !== undefined && timeMs === undefined) return bad('time: must be an ISO 8601 timestamp');
  const values: Partial<Record<StatusField, number>> = {};
  for (const name of STATUS_FIELDS) {
    const value = message[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number') return bad(`${name}: must be a number`);
    values[name] = value;
  }
  const { position } = message;
  if (position === undefined || position === null)
    return { type: 'status', status: { timeMs, values, position: undefined } };
  if (!isJsonObject(position) || !isWithin(position.latitude, 90) || !isWithin(position.longitude, 180)) {
    return bad('position: must have a latitude from -90 to 90 and a longitude from -180 to 180');
  }
  const { latitude, longitude } = position;
  return { type: 'status', status: { timeMs, values, position: { latitude, longitude } } };
}

function logOf(message: JsonObject): ModemMessage {
  const level = LOG_LEVELS.find((level) => level === message.level);
  if (!level) return bad(`level: must be one of ${LOG_LEVELS.join(', ')}`);
  if (typeof message.message !== 'string') return bad('message: must be a text');
  return { type: 'log', level, message: cut(message.message) };
}

function pipeOf({ data }: JsonObject): ModemMessage {
  if (typeof data !== 'string' || data.length > PIPE_CHARACTERS || !/^[A-Za-z0-9+/]*={0,2}$/.test(data))
    return bad(`data: must be base64 of at most ${PIPE_CHARACTERS} characters`);
  return { type: 'pipe', bytes: Buffer.from(data, 'base64') };
}

const cut = (text: unknown): string => (typeof text === 'string' ? text.slice(0, LOG_CHARACTERS) : '');

const isWhole = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

const isWithin = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && value >= -limit && value <= limit;

function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
