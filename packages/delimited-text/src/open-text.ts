import { invalid } from '@catchment/errors';
import type { EffectiveZone } from '@catchment/time';
import { decodeText } from './decode.ts';
import { detectLayout } from './detect-layout.ts';
import { type Layout, labelOf, type ParserSettings, type SeriesType } from './layout.ts';
import { readRows } from './rows.ts';
import { readHead } from './sample.ts';
import {
  type Cell,
  type CellReader,
  cellReader,
  EXCLUDED,
  type ReadContext,
  timeReader,
  UNREADABLE,
} from './series-reader.ts';
import { sourceClock } from './source-clock.ts';

export interface TextSeries {
  /** Key of historic writes (docs/reference/writing.md#data-source-writes): unique in the file. */
  readonly key: string;
  readonly type: SeriesType;
  /** '' where the file has none. */
  readonly units: string;
}

export interface TextRecord {
  /** 1-based line on which it ends. */
  readonly line: number;
  readonly timeMs: number;
  /** As `series`; undefined: nothing for this series. */
  readonly cells: readonly (Cell | undefined)[];
}

/** Why a line or a field of it was not read. */
export interface Failure {
  readonly line: number;
  /** From 1; absent: the whole line. */
  readonly column?: number;
  readonly reason: string;
}

/** Counts so far. */
export interface TextReport {
  /** Lines with data; those that a filter leaves out are none. */
  lines: number;
  /** Lines whose time, and at least one series, could be read. */
  parsed: number;
  failed: number;
  /** Fields that could not be read, of lines that could. */
  unreadableFields: number;
  firstFailure?: Failure;
  firstUnreadable?: Failure;
}

export interface OpenedText {
  readonly layout: Layout;
  readonly series: readonly TextSeries[];
  readonly report: TextReport;
  /** The records in the order of the file; once only. Holds a line at a time. */
  records(): AsyncGenerator<TextRecord>;
}

export interface TextOptions {
  readonly settings?: ParserSettings;
  readonly zone: EffectiveZone;
  /** The date of a time without one. */
  readonly nowMs: number;
  /** Texts that mean no value in this file, beside those in docs/reference/acquisition.md#text-parser, in any letter case. */
  readonly noValues?: readonly string[];
  /** Columns that make the time together, where the settings name none: `<label or number from 1>[:<format>]`. */
  readonly time?: readonly string[];
  /** Changes the detected layout, for callers that choose columns by the labels of the file. */
  readonly adjust?: (layout: Layout) => Layout;
}

/** Longest text of a field that a failure shows. */
const SHOWN = 40;
/** Where times of records end: what 64-bit nanoseconds reach. */
const RECORDS_END_MS = Date.UTC(2262, 3, 11);

/**
 * Opens delimited text (docs/reference/acquisition.md#text-parser, docs/reference/acquisition.md#time-zone-of-data): settles
 * how it is read, from its settings and its head, before the first record.
 * @throws DomainError invalid_argument naming the line, or the part of the settings; from `records` when a row cannot be read
 *   from the next one
 */
export async function openText(bytes: AsyncIterable<Uint8Array>, options: TextOptions): Promise<OpenedText> {
  const settings = options.settings ?? {};
  const { head, text } = await readHead(decodeText(bytes, settings.encoding ?? 'UTF-8'));
  try {
    if (head.text.trim() === '' && head.isWhole) throw invalid('EMPTY_FILE', 'file: is empty');
    const isMissing = missingOf(options.noValues ?? []);
    const detected = await detectLayout(head, settings, { isMissing, ...(options.time && { time: options.time }) });
    const layout = options.adjust?.(detected) ?? detected;
    const { zone } = options;
    const context = { layout, zone, todayLocalMs: zone.localMsAt(options.nowMs), isMissing };
    const { series, read } = compile(context);
    const report: TextReport = { lines: 0, parsed: 0, failed: 0, unreadableFields: 0 };
    return { layout, series, report, records: () => records(text, context, read, report) };
  } catch (error) {
    await text.return(undefined);
    throw error;
  }
}

function missingOf(words: readonly string[]): (text: string) => boolean {
  const known = new Set(words.map((word) => word.trim().toLowerCase()));
  return known.size === 0 ? () => false : (text) => known.has(text.toLowerCase());
}

type SeriesReader = { readonly read: CellReader; readonly column: number };
type LineReader = {
  readonly time: ReturnType<typeof timeReader>;
  readonly timeColumn: number;
  /** The series of a line, by their place; undefined: the line is of none. */
  readonly seriesOf: (fields: readonly string[]) => {
    readonly first: number;
    readonly readers: readonly SeriesReader[];
  };
  readonly count: number;
};

function compile(context: ReadContext): { series: readonly TextSeries[]; read: LineReader } {
  const { layout } = context;
  const times = layout.columns.filter(({ type }) => type === 'RECORD_TIME');
  const [timeColumn] = times;
  if (times.length !== 1 || !timeColumn) {
    throw invalid('INVALID_PARSER', 'parser.columns: exactly one must have the type RECORD_TIME');
  }
  const at = (index: number) => `parser.columns[${layout.columns.findIndex((column) => column.index === index)}]`;
  const time = timeReader(timeColumn.joins ?? [], timeColumn.index, at(timeColumn.index), context);
  const base = { time, timeColumn: timeColumn.index };
  return layout.format === 'ROW' ? compileRows(context, base) : compileColumns(context, base, at);
}

type Base = Pick<LineReader, 'time' | 'timeColumn'>;

function compileColumns(context: ReadContext, base: Base, at: (index: number) => string) {
  const { layout } = context;
  const readers: SeriesReader[] = [];
  const series: TextSeries[] = [];
  for (const { index, type, series: key, joins } of layout.columns) {
    if (type === 'RECORD_TIME' || type === 'DISABLED') continue;
    if (type === 'SERIES_ID' || type === 'VALUE') {
      throw invalid('INVALID_PARSER', `${at(index)}.type: ${type} is of the format ROW`);
    }
    readers.push({ read: cellReader(type, joins, index, at(index), context), column: index });
    series.push({ key: key || labelOf(layout, index), type, units: layout.units[index] ?? '' });
  }
  checkKeys(series);
  const all = { first: 0, readers };
  return { series, read: { ...base, seriesOf: () => all, count: readers.length } };
}

function compileRows(context: ReadContext, base: Base) {
  const { columns, rowSeries } = context.layout;
  const one = (type: string) => {
    const [found, second] = columns.filter((column) => column.type === type);
    if (!found || second) throw invalid('INVALID_PARSER', `parser.columns: exactly one must have the type ${type}`);
    return found.index;
  };
  const [idColumn, valueColumn] = [one('SERIES_ID'), one('VALUE')];
  const places = new Map(
    rowSeries.map(({ seriesId, type, joins }, n) => {
      const read = cellReader(type, joins, valueColumn, `parser.rowSeries[${n}]`, context);
      return [seriesId, { first: n, readers: [{ read, column: valueColumn }] }] as const;
    }),
  );
  const series = rowSeries.map(({ seriesId, type }): TextSeries => ({ key: seriesId, type, units: '' }));
  checkKeys(series);
  const none = { first: 0, readers: [] };
  const seriesOf = (fields: readonly string[]) => places.get(fields[idColumn]?.trim() ?? '') ?? none;
  return { series, read: { ...base, seriesOf, count: series.length } };
}

function checkKeys(series: readonly TextSeries[]): void {
  if (series.length === 0) throw invalid('NO_SERIES', 'file: has no column for a series beside its times');
  const seen = new Set<string>();
  for (const { key } of series) {
    if (seen.has(key)) throw invalid('SERIES_TWICE', `file: two columns are of the series '${key.slice(0, SHOWN)}'`);
    seen.add(key);
  }
}

async function* records(
  text: AsyncGenerator<string>,
  { layout, zone }: ReadContext,
  { time, timeColumn, seriesOf, count }: LineReader,
  report: TextReport,
): AsyncGenerator<TextRecord> {
  const clock = sourceClock(zone);
  const fail = (failure: Failure) => {
    report.failed += 1;
    report.firstFailure ??= failure;
  };
  for await (const { line, fields } of readRows(text, layout)) {
    if (line <= layout.headerLines) continue;
    const resolved = time(fields);
    if (resolved === EXCLUDED) continue;
    report.lines += 1;
    if (layout.width !== undefined && fields.length !== layout.width) {
      fail({ line, reason: `has ${fields.length} fields where the header has ${layout.width}` });
      continue;
    }
    if (resolved === undefined || resolved === UNREADABLE) {
      fail({
        line,
        column: timeColumn + 1,
        reason: `${shown(fields[timeColumn])} is no time of the form that is expected`,
      });
      continue;
    }
    const { first, readers } = seriesOf(fields);
    const cells = new Array<Cell | undefined>(count).fill(undefined);
    const unreadable = readCells(fields, readers, first, cells);
    if (unreadable === EXCLUDED) {
      report.lines -= 1;
      continue;
    }
    if (unreadable.length > 0) {
      const column = unreadable[0]!;
      const failure = { line, column: column + 1, reason: `${shown(fields[column])} cannot be read` };
      if (unreadable.length === readers.length) {
        fail(failure);
        continue;
      }
      report.unreadableFields += unreadable.length;
      report.firstUnreadable ??= failure;
    }
    const timeMs = clock.instantMsOf(resolved);
    if (timeMs >= RECORDS_END_MS) {
      fail({ line, column: timeColumn + 1, reason: `${shown(fields[timeColumn])} is not before 2262-04-11` });
      continue;
    }
    report.parsed += 1;
    yield { line, timeMs, cells };
  }
}

const NOTHING: readonly number[] = [];

/** Fills in cells. @returns columns that cannot be read */
function readCells(
  fields: readonly string[],
  readers: readonly SeriesReader[],
  first: number,
  cells: (Cell | undefined)[],
): readonly number[] | typeof EXCLUDED {
  let unreadable: number[] | undefined;
  for (let n = 0; n < readers.length; n += 1) {
    const { read, column } = readers[n]!;
    const cell = read(fields);
    if (cell === EXCLUDED) return EXCLUDED;
    if (cell === UNREADABLE) {
      unreadable ??= [];
      unreadable.push(column);
    } else cells[first + n] = cell;
  }
  return unreadable ?? NOTHING;
}

const shown = (field = ''): string => `'${field.length > SHOWN ? `${field.slice(0, SHOWN)}…` : field}'`;

/** `line 12, column 3: 'x' cannot be read` */
export const failureText = ({ line, column, reason }: Failure): string =>
  `line ${line}${column === undefined ? '' : `, column ${column}`}: ${reason}`;
