import { DomainError, invalid } from '@catchment/errors';
import { isJsonObject, type JsonObject, NestingCheck } from '@catchment/json-body';
import { type EffectiveZone, formatIsoMs, parseTimeValueMs } from '@catchment/time';
import { JSONParser } from '@streamparser/json';
import { FileTimes, type Settled } from '../times/file-times.ts';
import type { TimedRow } from '../times/repeated-hour.ts';
import type { ResolvedTime } from '../times/time-resolve.ts';

interface JtsEntry {
  /** `data[12]`, for refusals. */
  readonly place: string;
  readonly timeMs: number;
  /** The timestamp has a zone. */
  readonly ts: string;
  readonly f: JsonObject;
}

export interface JtsStream {
  /** `header.columns` as given; {} where there are none. Known once the first entry has come, or the end. */
  columns(): JsonObject;
  /** Yields the entries once; an entry at a time is held. */
  entries(): AsyncGenerator<JtsEntry>;
}

/** A parser holds at most this: the header, or one record. */
const PART_MAX_BYTES = 8 * 1024 * 1024;

/** JSON whose first sign says so. */
export const looksLikeJson = (head: Uint8Array): boolean =>
  /^\ufeff?\s*\{/.test(new TextDecoder().decode(head.subarray(0, 100)));

/**
 * Opens a JTS document of any size. Its header comes before its records.
 * @param zone of timestamps that name none (docs/reference/acquisition.md#time-zone-of-data)
 * @throws DomainError invalid_argument from `entries`, naming the place
 */
export function openJts(bytes: AsyncIterable<Uint8Array>, zone: EffectiveZone): JtsStream {
  let columns: JsonObject = {};
  let isJts = false;
  async function* entries(): AsyncGenerator<JtsEntry> {
    const times = new FileTimes<JtsRow>(zone);
    const parser = new JSONParser({ paths: ['$.docType', '$.header', '$.data.*'], keepStack: false });
    const nesting = new NestingCheck('file');
    let read: unknown[] = [];
    let count = 0;
    let held = 0;
    parser.onValue = ({ key, value }) => {
      held = 0;
      if (typeof key === 'number') read.push(value);
      else if (key === 'docType') isJts = typeof value === 'string' && value.toLowerCase() === 'jts';
      else if (count + read.length > 0) throw invalid('INVALID_BODY', 'header: must come before data');
      else columns = columnsOf(value);
    };
    for await (const chunk of bytes) {
      held += chunk.length;
      if (held > PART_MAX_BYTES + chunk.length) throw invalid('INVALID_BODY', `data[${count}]: is too large`);
      nesting.push(chunk);
      write(parser, chunk);
      if (read.length > 0) nesting.forget();
      for (const entry of read) {
        yield* entriesOf(times.take(jtsRow(entry, `data[${count}]`)));
        count += 1;
      }
      read = [];
    }
    yield* entriesOf(times.end());
    if (!parser.isEnded) throw invalid('INVALID_BODY', 'file: the JTS document ends before its last bracket');
    if (!isJts) throw invalid('INVALID_BODY', 'docType: must be jts');
  }
  return { columns: () => columns, entries };
}

const columnsOf = (header: unknown): JsonObject =>
  isJsonObject(header) && isJsonObject(header.columns) ? header.columns : {};

function write(parser: JSONParser, chunk: Uint8Array): void {
  try {
    parser.write(chunk);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw invalid('INVALID_BODY', `file: is no valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** An entry waits until its time is known for sure. */
export type JtsRow = TimedRow & Pick<JtsEntry, 'place' | 'f'>;

/** @throws DomainError invalid_argument naming the place */
export function jtsRow(entry: unknown, place: string): JtsRow {
  if (!isJsonObject(entry)) throw invalid('INVALID_BODY', `${place}: must be an object`);
  const time = jtsTime(entry.ts);
  if (time === undefined)
    throw invalid('INVALID_BODY', `${place}.ts: must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z`);
  if (!isJsonObject(entry.f)) throw invalid('INVALID_BODY', `${place}.f: must be an object`);
  return { place, time, series: jtsSeries(entry.f), f: entry.f };
}

const entriesOf = (settled: readonly Settled<JtsRow>[]): JtsEntry[] =>
  settled.map(({ row: { place, f }, timeMs }) => ({ place, timeMs, ts: formatIsoMs(timeMs), f }));

/** Reads a time of a JTS document, which may name no zone (docs/reference/acquisition.md#time-zone-of-data). */
export function jtsTime(ts: unknown): ResolvedTime | undefined {
  const text = isJsonObject(ts) ? ts.$time : ts;
  const hasZone = typeof text !== 'string' || /T.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text);
  const ms = parseTimeValueMs(ts);
  if (ms === undefined) return undefined;
  return hasZone ? { instantMs: ms } : { localMs: ms };
}

/** Returns the columns that an entry of a JTS document has a value of; without any, those that it names. */
export function jtsSeries(f: JsonObject): number[] {
  const named = Object.keys(f);
  const present = named.filter((index) => {
    const field = f[index];
    return isJsonObject(field) && field.v !== undefined && field.v !== null;
  });
  return (present.length > 0 ? present : named).map(Number);
}
