import { COLUMNS_MAX, isStorableText, STORABLE_TEXT } from '@catchment/ids';
import { bodyText, parseJsonBody } from '@catchment/json-body';
import { isInstantMs, tryParseInstantMs } from '@catchment/time';
import {
  isTag,
  readValue,
  type StationMessage,
  type StationRecord,
  StationRefusal,
  type StationTime,
  type StationValue,
} from './station-message.ts';

/** Samples of one request. */
const MAX_SAMPLES = 5_000;
/** These fields name the device, or are times of the samples; they are no values. */
const NAMES: ReadonlySet<string> = new Set(['deviceID', 'identifierForVendor', 'loggingTime', 'loggingSample']);

/**
 * Reads samples of the app SensorLog (docs/reference/iot.md#sensorlog): a JSON object, an array of them, or its CSV.
 * @param mediaType of the request
 * @throws StationRefusal; DomainError invalid_argument: no UTF-8, no JSON
 */
export function readSensorLog(body: Uint8Array, mediaType: string): StationMessage {
  const { samples, units } = /^text\/(?:csv|plain)/.test(mediaType)
    ? ofCsv(bodyText(body))
    : ofJson(parseJsonBody(body));
  if (samples.length > MAX_SAMPLES) throw new StationRefusal(`a request has ${MAX_SAMPLES} samples at the most`);
  const sites = new Set<string>();
  for (const sample of samples)
    for (const name of ['deviceID', 'identifierForVendor']) {
      const site = sample.get(name)?.trim() ?? '';
      if (isTag(site)) sites.add(site);
    }
  if (sites.size === 0) throw new StationRefusal('no sample has a deviceID: let SensorLog send it');
  return { sites: [...sites].slice(0, 10), records: samples.map(recordOf), units };
}

type Sample = ReadonlyMap<string, string>;
type Samples = { readonly samples: readonly Sample[]; readonly units: ReadonlyMap<string, string> };

function ofJson(document: unknown): Samples {
  const list = Array.isArray(document) ? document : [document];
  const samples = list.map((sample: unknown): Sample => {
    if (typeof sample !== 'object' || sample === null || Array.isArray(sample))
      throw new StationRefusal('body: must be a JSON object, or an array of them');
    // The app writes all values as texts.
    return new Map(
      Object.entries(sample).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
          ? [[nameOf(name).name, String(value)] as const]
          : [],
      ),
    );
  });
  return { samples, units: new Map() };
}

function ofCsv(text: string): Samples {
  const [head = '', ...lines] = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  if (!isStorableText(head)) throw new StationRefusal(`body: the header must be ${STORABLE_TEXT}`);
  const delimiter = head.includes(';') && !head.includes(',') ? ';' : ',';
  const columns = head.split(delimiter).map(nameOf);
  if (!columns.some(({ name }) => name === 'loggingTime'))
    throw new StationRefusal('the first line must be the header of SensorLog, with loggingTime');
  const samples = lines.map((line) => {
    const fields = line.split(delimiter);
    return new Map(columns.map(({ name }, n) => [name, fields[n] ?? ''] as const));
  });
  const units = columns.flatMap(({ name, units: of }) => (of ? [[name, of] as const] : []));
  return { samples, units: new Map(units) };
}

/** `locationSpeed(m/s)`; what is in brackets is no unit where it says how a text or a number is written. */
function nameOf(given: string): { readonly name: string; readonly units?: string } {
  const [, name = '', units = ''] = /^\s*([^(]*?)\s*(?:\(([^)]*)\))?\s*$/.exec(given) ?? [];
  return { name, ...(units && !/^(?:txt|N|Z|R|WGS84)$/.test(units) && { units }) };
}

function recordOf(sample: Sample): StationRecord {
  const values = new Map<string, StationValue>();
  for (const [name, text] of sample) {
    if (NAMES.has(name) || /_?timestamp_/i.test(name) || !isTag(name) || values.size >= COLUMNS_MAX) continue;
    const value = readValue(text);
    // The app writes it for what it does not know.
    if (value !== undefined && value !== -9999) values.set(name, value);
  }
  return { time: timeOf(sample), values };
}

/** `2021-10-21 20:43:47.013 -0400` is the form; a sample without it has the newest time of a sensor. */
function timeOf(sample: Sample): StationTime {
  const [, date = '', clock = '', offset = ''] =
    /^\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)\s*(Z|[+-]\d\d:?\d\d)?\s*$/.exec(
      sample.get('loggingTime') ?? '',
    ) ?? [];
  if (date !== '') {
    const text = `${date}T${clock.replace(',', '.')}`;
    const instantMs = tryParseInstantMs(`${text}${offset === '' ? 'Z' : offset.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
    if (instantMs !== undefined) return offset === '' ? { localMs: instantMs } : { instantMs };
  }
  const times = [...sample]
    .filter(([name]) => /timestamp_since1970$/i.test(name))
    .map(([, text]) => Math.round(Number(text) * 1_000))
    .filter((ms) => ms > 0 && isInstantMs(ms));
  return times.length > 0 ? { instantMs: Math.max(...times) } : undefined;
}
