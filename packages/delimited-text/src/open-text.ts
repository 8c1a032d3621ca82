import { invalid } from '@catchment/errors';
import { Pace, type Steps } from '@catchment/fair-queue';
import type { EffectiveZone } from '@catchment/time';
import { decodeText } from './decode.ts';
import { detectLayout } from './detect-layout.ts';
import { FileTimes, type Settled } from './file-times.ts';
import { KnownPass } from './known-pass.ts';
import { type Join, type Layout, labelOf, type ParserSettings, type SeriesType } from './layout.ts';
import { LinePlace } from './line-place.ts';
import { missingOf } from './missing.ts';
import type { TimedRow } from './repeated-hour.ts';
import { type Row, readRows } from './rows.ts';
import { HEAD_OF_KNOWN_CHARACTERS, readHead } from './sample.ts';
import {
  type Cell,
  type CellReader,
  cellReader,
  EXCLUDED,
  type ReadContext,
  timeReader,
  UNKNOWN_ZONE,
  UNREADABLE,
} from './series-reader.ts';
import { emptyReport, type Failure, shownField, type TextReport } from './text-report.ts';
import type { ResolvedTime } from './time-resolve.ts';
import { zoneReader } from './zone-text.ts';

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
  /** The first bytes are those of rows that were read before: they tell the layout and the order of times, and are no records. */
  readonly part?: TextPart;
  /** Records that are not later are left out, though their lines are read, Unix ms. */
  readonly afterMs?: number;
  /** The bytes are the beginning of a file, and may end anywhere. */
  readonly isCut?: boolean;
  /** Told of each line, and of each field of a line, that is not read. */
  readonly failed?: (failure: Failure) => void;
  /** How long lines are read until all others have their turn. */
  readonly pace?: Pace;
  /** Changes the detected layout, for callers that choose columns by the labels of the file. */
  readonly adjust?: (layout: Layout) => Layout;
}

export interface TextPart {
  /** They end with a line. */
  readonly bytes: number;
  /** How many lines of the file lie before the rest; failures count from there. */
  readonly lines: number;
  /** The latest record before the rest, Unix ms: the first bytes may not reach back to where a repeated hour began. */
  readonly untilMs?: number;
}

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
  const place = new LinePlace(options.part);
  const bytesSeen = place.watching(bytes);
  const { head, text } = await readHead(decodeText(bytesSeen, settings.encoding ?? 'UTF-8'), {
    ...(options.isCut && { isCut: true }),
    ...(settings.columns?.length && { characters: HEAD_OF_KNOWN_CHARACTERS }),
  });
  try {
    if (head.text.trim() === '' && head.isWhole) throw invalid('EMPTY_FILE', 'file: is empty');
    const words = [...(settings.missing ?? []), ...(options.noValues ?? [])];
    const detected = await detectLayout(head, settings, {
      isMissing: missingOf(words, '.').isWord,
      ...(options.time && { time: options.time }),
    });
    const layout = options.adjust?.(detected) ?? detected;
    const { zone } = options;
    const zoneOf = zoneReader(zone, options.nowMs);
    const missing = missingOf(words, layout.decimalSeparator);
    const context = { layout, zone, zoneOf, todayLocalMs: zone.localMsAt(options.nowMs), missing };
    const { series, read } = compile(context);
    const report = emptyReport(detected.guesses);
    const { afterMs = Number.NEGATIVE_INFINITY, failed } = options;
    const { pace = new Pace() } = options;
    const reading = { context, read, report, place, pace, ...(failed && { failed }) };
    const records = () => readRecords(text, reading, { afterMs, untilMs: options.part?.untilMs });
    return { layout, series, report, records };
  } catch (error) {
    await text.return(undefined);
    throw error;
  }
}

type SeriesReader = {
  readonly read: CellReader;
  readonly column: number;
  /** What a field is not that cannot be read: `is no number`. */
  readonly refusal: string;
  /** A line without a value of it may be of another logger. */
  readonly isFiltered: boolean;
};
type LineReader = {
  readonly time: ReturnType<typeof timeReader>;
  readonly timeColumn: number;
  readonly timeRefusal: string;
  /** The column that names the zone of a line. */
  readonly zoneColumn: number | undefined;
  /** The series of a line, by their place; undefined: the line is of none. */
  readonly seriesOf: (fields: readonly string[]) => {
    readonly first: number;
    readonly readers: readonly SeriesReader[];
  };
  readonly count: number;
  /** Columns that name the logger or station of a line. */
  readonly loggerColumns: readonly number[];
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
  const zoneJoin = timeColumn.joins?.find(({ field }) => field === 'TIMEZONE');
  const base = {
    time,
    timeColumn: timeColumn.index,
    timeRefusal: refusalOf('TIME', timeColumn.joins),
    zoneColumn: zoneJoin && (zoneJoin.column ?? timeColumn.index),
    loggerColumns: loggerColumns(layout),
  };
  return layout.format === 'ROW' ? compileRows(context, base) : compileColumns(context, base, at);
}

type Base = Pick<LineReader, 'time' | 'timeColumn' | 'timeRefusal' | 'zoneColumn' | 'loggerColumns'>;

const LOGGER_LABEL =
  /^(?:agency|site|station|stn|logger|device|node|sensor|location|origin|serial)(?:[ _-]?(?:cd|no|nr|id|name|code|number))?\.?$/i;
/** Of a RDB file: agency and site; of any other: what their labels say. */
const loggerColumns = ({ labels, columns }: Layout): number[] =>
  labels.flatMap((label, index) =>
    LOGGER_LABEL.test(label) && columns.every((one) => one.index !== index || one.type !== 'RECORD_TIME')
      ? [index]
      : [],
  );

function compileColumns(context: ReadContext, base: Base, at: (index: number) => string) {
  const { layout } = context;
  const readers: SeriesReader[] = [];
  const series: TextSeries[] = [];
  for (const { index, type, series: key, joins } of layout.columns) {
    if (type === 'RECORD_TIME' || type === 'DISABLED') continue;
    if (type === 'SERIES_ID' || type === 'VALUE') {
      throw invalid('INVALID_PARSER', `${at(index)}.type: ${type} is of the format ROW`);
    }
    const read = cellReader(type, joins, index, at(index), context);
    readers.push({ read, column: index, refusal: refusalOf(type, joins), isFiltered: isFiltered(joins) });
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
      const reader = { read, column: valueColumn, refusal: refusalOf(type, joins), isFiltered: isFiltered(joins) };
      return [seriesId, { first: n, readers: [reader] }] as const;
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
    if (seen.has(key)) throw invalid('SERIES_TWICE', `file: two columns are of the series '${key.slice(0, 40)}'`);
    seen.add(key);
  }
}

type Line = TimedRow & { readonly line: number; readonly cells?: readonly (Cell | undefined)[] };
type Reading = {
  readonly context: ReadContext;
  readonly read: LineReader;
  readonly report: TextReport;
  readonly place: LinePlace;
  readonly pace: Pace;
  readonly failed?: (failure: Failure) => void;
};

async function* readRecords(
  text: AsyncGenerator<string>,
  reading: Reading,
  { afterMs, untilMs }: { readonly afterMs: number; readonly untilMs: number | undefined },
): AsyncGenerator<TextRecord> {
  const { layout, zone } = reading.context;
  const { pace } = reading;
  const times = new FileTimes<Line>(zone);
  let known = KnownPass.of(untilMs, zone);
  for await (const row of readRows(text, layout)) {
    const isBefore = reading.place.isBefore(row.line);
    if (known && !isBefore) {
      for (const one of known.rows(reading.read.count)) yield* recordsOf(times.take({ ...one, line: 0 }), afterMs);
      known = undefined;
    }
    if (pace.isOver) await pace.next();
    if (row.line <= layout.headerLines) continue;
    const steps = lineOf(row, reading);
    let step = steps.next();
    for (; !step.done; step = steps.next()) if (pace.isOver) await pace.next();
    const line = step.value;
    if (!line) continue;
    if (isBefore) known?.add(line);
    for (const { row: one, timeMs } of times.take(line))
      if (one.cells && timeMs > afterMs) yield { line: one.line, timeMs, cells: one.cells };
  }
  yield* recordsOf(times.end(), afterMs);
}

function* recordsOf(settled: readonly Settled<Line>[], afterMs: number): Generator<TextRecord> {
  for (const { row, timeMs } of settled) {
    if (row.cells && timeMs > afterMs) yield { line: row.line, timeMs, cells: row.cells };
  }
}

/**
 * Reads a line, and counts it, with a step after each field that an expression is looked for in. One that is not read, or was read before, still says where in a repeated hour its series are.
 * @returns without `cells`: it is no record
 */
function* lineOf(
  { line: ownLine, fields }: Row,
  { context, read, report, place, failed }: Reading,
): Steps<Line | undefined> {
  const { layout, zone } = context;
  const { time, timeColumn, timeRefusal, seriesOf, count, loggerColumns } = read;
  const isBefore = place.isBefore(ownLine);
  const line = place.inFile(ownLine);
  const fail = (failure: Omit<Failure, 'line'>): undefined => {
    report.failed += 1;
    report.firstFailure ??= { line, ...failure };
    failed?.({ line, ...failure });
  };
  const resolved = time(fields);
  if (resolved === EXCLUDED) return undefined;
  if (!isBefore) report.lines += 1;
  if (layout.width !== undefined && fields.length !== layout.width) {
    return isBefore ? undefined : fail({ reason: `has ${fields.length} fields where the header has ${layout.width}` });
  }
  if (resolved === undefined || resolved === UNREADABLE) {
    const text = fields[timeColumn];
    const reason = text?.trim() ? `${shownField(text)} ${timeRefusal}` : 'there is no time';
    return isBefore ? undefined : fail({ column: timeColumn + 1, reason });
  }
  if (resolved === UNKNOWN_ZONE) {
    const column = read.zoneColumn ?? timeColumn;
    const reason = `${shownField(fields[column])} names no time zone that is known here`;
    return isBefore ? undefined : fail({ column: column + 1, reason });
  }
  const { first, readers } = seriesOf(fields);
  const cells = new Array<Cell | undefined>(count).fill(undefined);
  const unreadable = yield* readCells(fields, readers, first, cells);
  if (unreadable === EXCLUDED) {
    if (!isBefore) report.lines -= 1;
    return undefined;
  }
  const own = 'zone' in resolved ? resolved.zone : undefined;
  const series = (own ?? zone).isFixed ? NO_SERIES : seriesIn(cells, readers, first);
  const logger = loggerColumns.length === 0 ? '' : loggerColumns.map((column) => fields[column]?.trim()).join('\n');
  const isBlank = series.length > 1 && !cells.some((cell) => cell !== undefined);
  const timed = { line, time: resolved, series, logger, isBlank, ...(own && { zone: own }) };
  if (isBefore) return timed;
  if (instantOf(resolved, zone) >= RECORDS_END_MS) {
    return fail({ column: timeColumn + 1, reason: `${shownField(fields[timeColumn])} is not before 2262-04-11` });
  }
  if (unreadable.length > 0) {
    const failure = unreadableField(unreadable[0]!, fields);
    if (unreadable.length === readers.length) {
      fail(failure);
      return timed;
    }
    report.unreadableFields += unreadable.length;
    report.firstUnreadable ??= { line, ...failure };
    if (failed) for (const reader of unreadable) failed({ line, ...unreadableField(reader, fields) });
  }
  report.parsed += 1;
  return { ...timed, cells };
}

const NO_SERIES: readonly number[] = [];
const instantOf = (time: ResolvedTime, zone: EffectiveZone): number =>
  'instantMs' in time ? time.instantMs : (time.zone ?? zone).instantMsOf(time.localMs);

/** The series whose logger has written the line: those with a value, or all that it may be of where it has none. */
function seriesIn(
  cells: readonly (Cell | undefined)[],
  readers: readonly SeriesReader[],
  first: number,
): readonly number[] {
  const present: number[] = [];
  for (let n = 0; n < cells.length; n += 1) if (cells[n]) present.push(n);
  if (present.length > 0) return present;
  return readers.flatMap(({ isFiltered }, n) => (isFiltered ? [] : [first + n]));
}

const NOTHING: readonly SeriesReader[] = [];

/** Fills in cells. @returns the readers whose fields cannot be read */
function* readCells(
  fields: readonly string[],
  readers: readonly SeriesReader[],
  first: number,
  cells: (Cell | undefined)[],
): Steps<readonly SeriesReader[] | typeof EXCLUDED> {
  let unreadable: SeriesReader[] | undefined;
  for (let n = 0; n < readers.length; n += 1) {
    const reader = readers[n]!;
    const cell = reader.read(fields);
    if (reader.isFiltered) yield;
    if (cell === EXCLUDED) return EXCLUDED;
    if (cell === UNREADABLE) {
      unreadable ??= [];
      unreadable.push(reader);
    } else cells[first + n] = cell;
  }
  return unreadable ?? NOTHING;
}

const isFiltered = (joins: readonly Join[] = []): boolean => joins.some(({ filter }) => filter !== undefined);

const unreadableField = ({ column, refusal }: SeriesReader, fields: readonly string[]): Omit<Failure, 'line'> => ({
  column: column + 1,
  reason: `${shownField(fields[column])} ${refusal}`,
});

const REFUSALS = {
  NUMBER: 'is no number',
  BOOLEAN: 'is no truth value such as TRUE, 0 or OFF',
  TEXT: 'has more than 10000 characters, or one that cannot be kept',
  COORDINATES: 'are no coordinates',
} as const;

/** What a field is not that cannot be read as its type. */
function refusalOf(type: SeriesType, joins: readonly Join[] = []): string {
  if (type !== 'TIME') return REFUSALS[type];
  const formats = joins.flatMap(({ field, format }) => (field === 'TIME' && format ? [format] : []));
  return formats.length === 0
    ? 'is no time such as 2026-05-31 23:59:59'
    : `is no time of the form ${formats.join(' ')}`;
}
