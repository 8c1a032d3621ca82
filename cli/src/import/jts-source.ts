import { FileTimes, jtsSeries, jtsTime, type Settled, type TimedRow } from '@catchment/delimited-text';
import { type EffectiveZone, formatIsoMs } from '@catchment/time';
import { JSONParser } from '@streamparser/json';
import type { ImportRecord, ImportSource } from './import-source.ts';

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON whose first sign says so. */
export const looksLikeJson = (head: Buffer): boolean => /^\ufeff?\s*\{/.test(head.subarray(0, 100).toString());

/**
 * A JTS document of any size; a record at a time is held.
 * @param zone of timestamps that name none (docs/reference/acquisition.md#time-zone-of-data)
 * @throws Error when it is none
 */
export async function jtsSource(bytes: () => AsyncIterable<Uint8Array>, zone: EffectiveZone): Promise<ImportSource> {
  const { docType, header } = await readParts(bytes());
  if (docType !== 'jts') throw new Error('docType: must be jts');
  const columns = isObject(header) && isObject(header.columns) ? (header.columns as Record<string, object>) : {};
  return {
    description: 'JTS document',
    columns,
    records: () => records(bytes(), zone),
    remarks: () => [],
  };
}

/** Everything beside the records, wherever it stands. */
async function readParts(bytes: AsyncIterable<Uint8Array>): Promise<Json> {
  const parts: Record<string, unknown> = {};
  const parser = new JSONParser({ paths: ['$.docType', '$.header'], keepStack: false });
  parser.onValue = ({ key, value }) => {
    if (typeof key === 'string') parts[key] = value;
  };
  for await (const chunk of bytes) {
    write(parser, chunk);
    if ('docType' in parts && 'header' in parts) break;
  }
  return parts;
}

async function* records(bytes: AsyncIterable<Uint8Array>, zone: EffectiveZone): AsyncGenerator<ImportRecord> {
  const parser = new JSONParser({ paths: ['$.data.*'], keepStack: false });
  let read: unknown[] = [];
  parser.onValue = ({ value }) => {
    read.push(value);
  };
  let count = 0;
  const times = new FileTimes<Row>(zone);
  for await (const chunk of bytes) {
    write(parser, chunk);
    for (const entry of read) {
      yield* recordsOf(times.take(rowOf(entry, `data[${count}]`)));
      count += 1;
    }
    read = [];
  }
  yield* recordsOf(times.end());
  if (!parser.isEnded) throw new Error('The JTS document ends before its last bracket');
}

function write(parser: JSONParser, chunk: Uint8Array): void {
  try {
    parser.write(chunk);
  } catch (error) {
    throw new Error(`The file is no valid JSON: ${(error as Error).message.slice(0, 200)}`, { cause: error });
  }
}

type Row = TimedRow & Pick<ImportRecord, 'place' | 'f'>;

function rowOf(entry: unknown, place: string): Row {
  if (!isObject(entry)) throw new Error(`${place}: must be an object`);
  const time = jtsTime(entry.ts);
  if (time === undefined)
    throw new Error(`${place}.ts: must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z`);
  if (!isObject(entry.f)) throw new Error(`${place}.f: must be an object`);
  return { place, time, series: jtsSeries(entry.f), f: entry.f };
}

const recordsOf = (settled: readonly Settled<Row>[]): ImportRecord[] =>
  settled.map(({ row: { place, f }, timeMs }) => ({ place, ts: formatIsoMs(timeMs), f }));
