import { FileTimes, type JtsRow, jtsRow, type Settled } from '@catchment/delimited-text';
import { isJsonObject, type JsonObject } from '@catchment/json-body';
import { type EffectiveZone, formatIsoMs } from '@catchment/time';
import { JSONParser } from '@streamparser/json';
import type { ImportRecord, ImportSource } from './import-source.ts';

/**
 * Opens a JTS document of any size; a record at a time is held.
 * @param zone of timestamps that name none (docs/reference/acquisition.md#time-zone-of-data)
 * @throws Error when it is none
 */
export async function jtsSource(bytes: () => AsyncIterable<Uint8Array>, zone: EffectiveZone): Promise<ImportSource> {
  const { docType, header } = await readParts(bytes());
  if (docType !== 'jts') throw new Error('docType: must be jts');
  const columns =
    isJsonObject(header) && isJsonObject(header.columns) ? (header.columns as Record<string, object>) : {};
  return {
    description: 'JTS document',
    columns,
    records: () => records(bytes(), zone),
    remarks: () => [],
  };
}

/** Everything beside the records, wherever it stands. */
async function readParts(bytes: AsyncIterable<Uint8Array>): Promise<JsonObject> {
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
  const times = new FileTimes<JtsRow>(zone);
  for await (const chunk of bytes) {
    write(parser, chunk);
    for (const entry of read) {
      yield* recordsOf(times.take(jtsRow(entry, `data[${count}]`)));
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

const recordsOf = (settled: readonly Settled<JtsRow>[]): ImportRecord[] =>
  settled.map(({ row: { place, f }, timeMs }) => ({ place, ts: formatIsoMs(timeMs), f }));
