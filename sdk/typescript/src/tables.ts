import type { Schemas } from './calls.ts';
import { CatchmentError } from './errors.ts';

export type DataType = 'NUMBER' | 'TEXT' | 'TIME' | 'COORDINATES';

/** A series has as many cells as the table has times; undefined = none. */
export type Column = {
  /** A read asked for this label; on a write it is the node (`@customId` or id) or the series of a source. */
  readonly label: string;
  id?: string;
  name?: string;
  units?: string;
  dataType: DataType;
  /** Values are numbers, texts, times as Dates, coordinates as `[latitude, longitude]`. */
  readonly values: unknown[];
  /** Codes from 0 to 65535. */
  readonly quality: (number | undefined)[];
  readonly annotations: (string | undefined)[];
};

/** A table has records in columns, joined on equal times. */
export type Table = {
  /** Milliseconds since 1970, ascending. */
  readonly times: number[];
  readonly columns: readonly Column[];
};

export const emptyTable = (labels: readonly string[]): Table => ({
  times: [],
  columns: labels.map((label) => ({ label, dataType: 'NUMBER', values: [], quality: [], annotations: [] })),
});

type Field = { v?: unknown; q?: number | null; a?: string | null } | null;

export function tableOf({ header, data }: Schemas['Jts'], labels: readonly string[]): Table {
  const table = emptyTable(labels);
  if (!Array.isArray(data)) throw new CatchmentError('the answer is no document of records', { kind: 'unexpected' });
  for (const [n, column] of table.columns.entries()) {
    const described = header?.columns?.[n] ?? {};
    const { id, name, units, dataType = 'NUMBER' } = described;
    Object.assign(column, { id, name, units, dataType: described.renderType === 'STATE' ? 'TEXT' : dataType });
  }
  for (const { ts, f } of data) {
    table.times.push(Date.parse(String(ts)));
    for (const [n, { values, quality, annotations }] of table.columns.entries()) {
      const field = (f as Record<string, Field>)[n];
      values.push(cellOf(field?.v));
      quality.push(field?.q ?? undefined);
      annotations.push(field?.a ?? undefined);
    }
  }
  return table;
}

function cellOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value ?? undefined;
  if ('$time' in value) return new Date(String(value.$time));
  return '$coords' in value ? value.$coords : value;
}

/** Adds the rows that follow those of a table, before `endMs`. */
export function extend(table: Table, more: Table, endMs: number | undefined): void {
  const end = endMs === undefined ? -1 : more.times.findIndex((ms) => ms >= endMs);
  const kept = end < 0 ? more.times.length : end;
  for (let row = 0; row < kept; row += 1) table.times.push(more.times[row] as number);
  for (const [n, column] of table.columns.entries()) {
    const { label: _same, values, quality, annotations, ...description } = more.columns[n] as Column;
    Object.assign(column, description);
    for (let row = 0; row < kept; row += 1) {
      column.values.push(values[row]);
      column.quality.push(quality[row]);
      column.annotations.push(annotations[row]);
    }
  }
}
