import { argumentError } from './errors.ts';
import type { Column, Table } from './tables.ts';

export type WriteMode =
  | 'MERGE_OVERWRITE_EXISTING'
  | 'MERGE_PRESERVE_EXISTING'
  | 'MERGE_UPDATE_EXISTING'
  | 'MERGE_FAIL_ON_EXISTING'
  | 'INSERT_DELETE_EXISTING'
  | 'INSERT_FAIL_ON_EXISTING'
  | 'DELETE_RANGE'
  | 'DELETE'
  | 'DISCARD';

export type Part = {
  readonly text: string;
  readonly records: number;
  /** All columns are safe up to this time once the document is stored with those before it. */
  readonly untilMs: number;
};

/** Returns true for a label that names a node by itself. */
export const isReference = (label: string): boolean => /^(?:@.+|[0-9a-f]{24})$/i.test(label);

/** One document has these limits; the server inflates up to 5 MiB. */
const ROWS_MAX = 50_000;
const COLUMNS_MAX = 100;
const BYTES_MAX = 4_500_000;
/** Bounds the bytes of a text: characters take up to three bytes. */
const bytesOf = (text: string): number => (/[^ -~]/.test(text) ? text.length * 3 : text.length);

/**
 * Returns a table as documents of JTS, in order of time.
 * @param node what is written to; undefined: each column is called by its node
 * @throws CatchmentError `argument`: it cannot be written as it is
 */
export function documentsOf(table: Table, mode: WriteMode, node: 'source' | 'series' | undefined): Part[] {
  const order = orderOf(table);
  for (const column of table.columns) check(column, table);
  const parts: Part[] = [];
  for (let first = 0; first < table.columns.length; first += COLUMNS_MAX) {
    const some = partsOf(table.times, table.columns.slice(first, first + COLUMNS_MAX), order, mode, node);
    // No time is safe in all columns before the last ones have their turn.
    const noneMs = (table.times[order[0] ?? 0] ?? 0) - 1;
    const isLast = first + COLUMNS_MAX >= table.columns.length;
    parts.push(...(isLast ? some : some.map((part) => ({ ...part, untilMs: noneMs }))));
  }
  if (table.columns.length === 0) throw argumentError('table', 'has no column');
  if (parts.length > 1 && mode.includes('FAIL_ON'))
    throw argumentError(
      'mode',
      `${mode} writes all or nothing, and this takes ${parts.length} requests: write less at once, or merge`,
    );
  return parts;
}

/** Orders rows by time, each time once. */
function orderOf({ times }: Table): number[] {
  const order = times.map((_, row) => row).sort((a, b) => (times[a] as number) - (times[b] as number));
  for (const [n, row] of order.entries()) {
    const ms = times[row] as number;
    if (!Number.isInteger(ms)) throw argumentError('table.times', `${ms} is no whole number of milliseconds`);
    if (!isKept(ms)) throw argumentError('table.times', `${ms} is not within the years 1800 to 9998`);
    if (n > 0 && times[order[n - 1] as number] === ms)
      throw argumentError('table.times', `has ${new Date(ms).toISOString()} twice: keep one row of each time`);
  }
  return order;
}

/** The server keeps the years 1800 to 9998. */
const isKept = (ms: number): boolean => ms >= -5_364_662_400_000 && ms < 253_370_764_800_000;

/** Returns what is wrong with a value; undefined: nothing. */
function wrongOf(value: unknown): string | undefined {
  if (value instanceof Date) return isKept(value.getTime()) ? undefined : 'is no time within the years 1800 to 9998';
  if (Array.isArray(value)) return value.every(Number.isFinite) ? undefined : 'must be [latitude, longitude]';
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return 'is infinite, which no record can be: undefined is none';
  return typeof value === 'bigint' ? 'must be a number' : undefined;
}

function check({ label, values, quality, annotations }: Column, { times }: Table): void {
  for (const [part, cells] of Object.entries({ values, quality, annotations }))
    if (cells.length !== times.length)
      throw argumentError('table', `${part} of '${label}' must be as many as times: ${times.length}`);
  const at = (row: number) => `'${label}' at ${new Date(times[row] as number).toISOString()}`;
  values.forEach((value, row) => {
    const wrong = wrongOf(value);
    if (wrong) throw argumentError('table', `${at(row)} ${wrong}`);
  });
  quality.forEach((code, row) => {
    if (code !== undefined && (!Number.isInteger(code) || code < 0 || code > 65_535))
      throw argumentError('table', `the quality of ${at(row)} must be a whole number from 0 to 65535`);
  });
}

function partsOf(
  times: readonly number[],
  columns: readonly Column[],
  order: readonly number[],
  mode: WriteMode,
  node: 'source' | 'series' | undefined,
): Part[] {
  const head = `{"docType":"jts","version":"1.0","header":${JSON.stringify({ columns: headerOf(columns, node) })},"data":[`;
  const parts: Part[] = [];
  const last = new Map<number, number>();
  let rows: string[] = [];
  let [size, records, untilMs] = [0, 0, 0];
  const end = () => parts.push({ text: `${head}${rows.join(',\n')}]}`, records, untilMs });
  for (const [n, row] of order.entries()) {
    if (mode === 'DELETE_RANGE' && n > 0 && n < order.length - 1) continue;
    const fields = columns.map((column) => (mode.startsWith('DELETE') ? 'null' : fieldOf(column, row)));
    const shown = fields.flatMap((field, place) => (field === undefined ? [] : [[place, field] as const]));
    if (shown.length === 0) continue;
    const ms = times[row] as number;
    const text = rowText(ms, shown);
    if (rows.length === ROWS_MAX || (rows.length > 0 && size + bytesOf(text) > BYTES_MAX)) {
      end();
      [rows, size, records] = [mode === 'INSERT_DELETE_EXISTING' ? rangeGoesOn(last, ms) : [], 0, 0];
    }
    rows.push(text);
    size += bytesOf(text) + 2;
    records += shown.length;
    untilMs = ms;
    for (const [place] of shown) last.set(place, ms);
  }
  end();
  return parts;
}

/** A range that is replaced reaches over all parts: markers behind the last record of each column. */
function rangeGoesOn(last: ReadonlyMap<number, number>, ms: number): string[] {
  const markers = [...last].filter(([, before]) => before + 1 < ms).sort(([, a], [, b]) => a - b);
  return markers.map(([place, before]) => rowText(before + 1, [[place, 'null']]));
}

const rowText = (ms: number, fields: readonly (readonly [number, string])[]): string =>
  `{"ts":${ms},"f":{${fields.map(([place, field]) => `"${place}":${field}`).join(',')}}}`;

function headerOf(columns: readonly Column[], node: 'source' | 'series' | undefined): object {
  const shown = columns.map(({ label, units, dataType }, place) => {
    const isNode = node !== 'series' && isReference(label);
    if (node === undefined && !isNode)
      throw argumentError('node', `must be given, or '${label}' be an _id or @customId`);
    const named = isNode ? { id: label } : { series: label, name: label };
    return [place, { dataType, ...named, ...(units && { units }) }] as const;
  });
  return Object.fromEntries(shown);
}

/** Returns a record as a field; undefined where there is none. */
function fieldOf({ values, quality, annotations }: Column, row: number): string | undefined {
  const [value, code, annotation] = [values[row], quality[row], annotations[row]];
  const isNone = value === undefined || value === null || Number.isNaN(value);
  if (isNone && code === undefined && annotation === undefined) return undefined;
  return JSON.stringify({ v: isNone ? undefined : writtenOf(value), q: code, a: annotation });
}

function writtenOf(value: unknown): unknown {
  if (value instanceof Date) return { $time: value.toISOString() };
  return Array.isArray(value) ? { $coords: value } : value;
}
