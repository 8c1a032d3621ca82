import { signal } from '@preact/signals';
import { start } from '../../data/session/session.ts';
import type { Parser, Proposal } from '../../data/sources/parsers.ts';
import { keepTab, readTab } from '../../ui/tab-storage.ts';
import type { WayKey } from './ways.ts';

/** The station comes into this: a Workspace, a folder, or a place that is there already. */
export type Parent = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly workspaceId: string;
  /** Sources lie in it at once; in others a place is made. */
  readonly isPlace: boolean;
  readonly permissions?: readonly string[];
};

/** A person has changed these of a column; the rest is as it was proposed. */
type ColumnEdit = {
  readonly name?: string;
  readonly units?: string;
  readonly type?: string;
  readonly isOff?: boolean;
};

export type TimePart = { readonly column: number; readonly field: 'TIME' | 'TIMEZONE'; readonly format: string };

/** A thing is made with its request: the same key asks for the same thing only. */
export type Made = { readonly key: string; readonly asked: string; readonly isDone: boolean; readonly id?: string };

export type Draft = {
  readonly parent?: Parent | undefined;
  readonly name: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly zone: string;
  readonly adjustsForDst: boolean;
  readonly way?: WayKey | undefined;
  readonly template?: { readonly _id: string; readonly name: string; readonly isPlace: boolean } | undefined;
  readonly sourceName: string;
  /** The key is the field of the way; secrets are kept in memory alone. */
  readonly settings: Readonly<Record<string, string>>;
  readonly file?: { readonly name: string; readonly size: number; readonly changed: number } | undefined;
  readonly proposal?: Proposal | undefined;
  /** This part of the layout is settled, until columns are proposed for it. */
  readonly settled?: Parser | undefined;
  readonly columns: Readonly<Record<string, ColumnEdit>>;
  readonly time?: readonly TimePart[] | undefined;
  /** The file has these names and units, by the key of the series. */
  readonly found: Readonly<Record<string, { readonly name: string; readonly units: string }>>;
  readonly labels: readonly string[];
  readonly counts?: { readonly lines: number; readonly failed: number } | undefined;
  readonly made: Readonly<Record<string, Made>>;
  /** A push transport was given these. */
  readonly transport?: Readonly<Record<string, unknown>> | undefined;
};

export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'Etc/UTC';

const empty = (): Draft => ({
  name: '',
  latitude: '',
  longitude: '',
  zone: start().person.timezone || deviceZone(),
  adjustsForDst: false,
  sourceName: '',
  settings: {},
  columns: {},
  found: {},
  labels: [],
  made: {},
});

const keyOf = (): string => `station:${start().account.slug}`;

const held = signal<Draft | undefined>(undefined);

/** Returns what is settled so far; it survives a reload. */
export function draft(): Draft {
  held.value ??= { ...empty(), ...(readTab(keyOf()) as Draft | undefined) };
  return held.value;
}

export function change(part: Partial<Draft>): void {
  const next = { ...draft(), ...part };
  held.value = next;
  keepTab(keyOf(), next);
}

/** The file itself, and what is secret, stand here: a page that is loaded again has lost them. */
export const heldFile = signal<File | undefined>(undefined);
export const secrets = signal<Readonly<Record<string, string>>>({});
/** The file, as it is to be read now, cannot be read. */
export const isUnreadable = signal(false);

/** Another station. */
export function begin(): void {
  heldFile.value = undefined;
  secrets.value = {};
  held.value = undefined;
  isUnreadable.value = false;
  keepTab(keyOf(), undefined);
}

/** A new file leaves nothing of the file before. */
export const withoutFile: Partial<Draft> = {
  file: undefined,
  proposal: undefined,
  settled: undefined,
  columns: {},
  time: undefined,
  found: {},
  labels: [],
  counts: undefined,
};

export type ParserView = {
  readonly parser: Parser;
  /** Each column of a table, or series of rows, that could be read is shown. */
  readonly columns: readonly {
    readonly key: string;
    readonly index: number;
    readonly label: string;
    readonly series: string;
    readonly type: string;
    readonly isOff: boolean;
  }[];
};

/** Returns the proposal with what the person has changed of it. */
export function viewOf({ proposal, columns: edits, time, labels }: Draft): ParserView | undefined {
  if (proposal === undefined) return undefined;
  const { parser } = proposal;
  if (parser.format === 'ROW') {
    const all = (parser.rowSeries ?? []).map(({ seriesId, type }, index) => {
      const { type: other = type, isOff = false } = edits[seriesId] ?? {};
      return { key: seriesId, index, label: seriesId, series: seriesId, type: other, isOff };
    });
    const rowSeries = all.filter(({ isOff }) => !isOff).map(({ series, type }) => ({ seriesId: series, type }));
    return { parser: { ...parser, rowSeries }, columns: all };
  }
  const given = parser.columns ?? [];
  const first = time?.[0]?.column ?? given.find(({ type }) => type === 'RECORD_TIME')?.index;
  const used = new Set(
    (time ?? given.find(({ type }) => type === 'RECORD_TIME')?.joins ?? []).map(({ column }) => column ?? first),
  );
  used.add(first);
  const labelAt = (index: number) => labels[index] || '';
  const shown = given.flatMap((column) => {
    if (used.has(column.index)) return [];
    const { isOff, type } = edits[column.index] ?? {};
    const isTime = column.type === 'RECORD_TIME';
    const proposed = column.type === 'DISABLED' || isTime ? (type ?? 'NUMBER') : (type ?? column.type);
    const label = labelAt(column.index);
    const series = column.series ?? (label === '' ? `Column ${column.index + 1}` : label);
    return [
      {
        key: String(column.index),
        index: column.index,
        label,
        series,
        type: proposed,
        isOff: isOff ?? (column.type === 'DISABLED' || isTime),
      },
    ];
  });
  const byIndex = new Map(shown.map((column) => [column.index, column]));
  const columns = given.map((column) => {
    const edited = byIndex.get(column.index);
    if (edited === undefined) {
      if (column.index !== first) return { index: column.index, type: 'DISABLED' };
      if (time === undefined) return column;
      const joins = time.map(({ column: of, field, format }) => ({
        column: of,
        field,
        ...(format !== '' && { format }),
      }));
      return { index: column.index, type: 'RECORD_TIME', joins };
    }
    if (edited.isOff) return { index: column.index, type: 'DISABLED' };
    // A type that was chosen has no joins of another one.
    const isOther = edited.type !== column.type;
    return {
      ...(isOther ? {} : column),
      index: column.index,
      type: edited.type,
      series: edited.series,
    };
  });
  return { parser: { ...parser, columns }, columns: shown };
}

/** Returns the parts of the time, as they were proposed or chosen. */
export function timeOf({ proposal, time }: Draft): readonly TimePart[] {
  if (time !== undefined) return time;
  const column = proposal?.parser.columns?.find(({ type }) => type === 'RECORD_TIME');
  if (column === undefined) return [];
  const joins = column.joins ?? [{ field: 'TIME' as const }];
  return joins
    .filter(({ field }) => field === 'TIME' || field === 'TIMEZONE')
    .map(({ column: of = column.index, field, format = '' }) => ({
      column: of,
      field: field as TimePart['field'],
      format,
    }));
}

/** Finds what a parameter is called, and in what it is measured. */
export function namesOf(
  { columns, found }: Draft,
  column: { readonly key: string; readonly series: string; readonly label: string },
) {
  const edited = columns[column.key];
  const known = found[column.series];
  return {
    name: edited?.name ?? (known?.name || column.label || column.series),
    units: edited?.units ?? known?.units ?? '',
  };
}
