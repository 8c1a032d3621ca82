import { parse } from 'csv-parse/sync';
import type { TypeName, Value } from '../data-types.ts';
import { type Content, holds, type SimulatedField, type TableContent } from './simulated-table.ts';

const HEADER_LINES = 4;
const TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?$/;
const SIZE_RECORDS = 1_000_000;

/** A file of a logger (TOA5) has its table, and what is known of the logger itself. */
export type Toa5 = {
  readonly station: string;
  readonly model: string;
  readonly serialNumber: string;
  readonly osVersion: string;
  readonly program: string;
  readonly table: TableContent;
};

/** @throws Error for what is no TOA5 file with records */
export function readToa5(text: string): Toa5 {
  const rows = parse(text, { relaxColumnCount: true, relaxQuotes: true }) as string[][];
  const [about = [], names = [], units = [], processing = []] = rows;
  const [kind, station = '', model = '', serialNumber = '', osVersion = '', program = '', , name = 'Table1'] = about;
  const data = rows.slice(HEADER_LINES).filter((row) => row.length === names.length && localMs(row[0] ?? '') !== null);
  if (kind !== 'TOA5' || data.length === 0) throw new Error('is no TOA5 file with records');
  const times = data.map(([time]) => localMs(time!)!);
  const isCounted = names[1] === 'RECORD';
  const at = isCounted ? 2 : 1;
  const columns = names.slice(at).map((_, n) => data.map((row) => row[at + n]!));
  const fields = columns.map((texts, n): SimulatedField => {
    const type = typeOf(texts);
    const characters = type === 'ASCII' && Math.max(1, ...texts.map((text) => Buffer.byteLength(text)));
    const shown = { units: units[at + n] ?? '', processing: processing[at + n] ?? '' };
    return { name: names[at + n]!, type, ...(characters && { characters }), ...shown };
  });
  const values = data.map((_, row) => fields.map(({ type }, n) => cellValue(columns[n]![row]!, type)));
  const content: Content = {
    firstNumber: isCounted ? Number(data[0]![1]) || 0 : 0,
    countAt: (clockMs) => upTo(times, clockMs),
    record: (place) => ({ timeMs: times[place]!, values: values[place]! }),
  };
  const table = { name, fields, intervalSeconds: stepSeconds(times), sizeRecords: SIZE_RECORDS, content };
  return { station, model, serialNumber, osVersion, program, table };
}

/** Repeats the records of a table, one at each interval since a time of the logger's clock. */
export function repeated(
  table: TableContent,
  options: { readonly rows: number; readonly sinceMs: number; readonly intervalSeconds: number },
): TableContent {
  const stepMs = options.intervalSeconds * 1_000;
  const startMs = Math.ceil(options.sinceMs / stepMs) * stepMs;
  const content: Content = {
    firstNumber: 0,
    countAt: (clockMs) => Math.max(0, Math.floor((clockMs - startMs) / stepMs) + 1),
    record: (place) => ({
      timeMs: startMs + place * stepMs,
      values: table.content.record(place % options.rows).values,
    }),
  };
  return { ...table, intervalSeconds: options.intervalSeconds, content };
}

function localMs(text: string): number | null {
  const parts = TIME.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number);
  const ms = Number((parts[7] ?? '').padEnd(3, '0'));
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!, ms);
}

const isNumber = (text: string) => /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text);
const isNothing = (text: string) => /^(?:|nan|-?inf)$/i.test(text);

/** Returns the smallest type that holds all of a column as it is written. */
function typeOf(texts: readonly string[]): TypeName {
  const given = texts.filter((text) => !isNothing(text));
  if (given.length > 0 && given.every((text) => localMs(text) !== null)) return 'NSec';
  if (!given.every(isNumber)) return 'ASCII';
  const types = ['FP2', 'IEEE4B', 'IEEE8B'] as const;
  return types.find((type) => given.every((text) => holds(type, Number(text)))) ?? 'IEEE8B';
}

function cellValue(text: string, type: TypeName): Value {
  if (type === 'ASCII') return text;
  if (type === 'NSec') return { timeMs: localMs(text) ?? Date.UTC(1990, 0, 1) };
  return isNothing(text) ? undefined : Number(text);
}

/** 0 where the times do not all follow one interval. */
function stepSeconds(times: readonly number[]): number {
  const stepMs = (times[1] ?? 0) - times[0]!;
  const isEven = times.every((time, n) => n === 0 || time - times[n - 1]! === stepMs);
  return isEven && stepMs > 0 && stepMs % 1_000 === 0 ? stepMs / 1_000 : 0;
}

function upTo(times: readonly number[], clockMs: number): number {
  const later = times.findIndex((time) => time > clockMs);
  return later < 0 ? times.length : later;
}
