import { invalid } from '@catchment/errors';
import { inSlices, type Steps } from '@catchment/fair-queue';
import { type ColumnSettings, type Layout, labelOf, type ParserSettings } from '../records/layout.ts';
import type { Guess } from '../records/text-report.ts';
import type { Row } from '../rows/rows.ts';
import { patternOf } from '../times/auto-time.ts';
import { beforeZone } from '../times/zone-text.ts';
import { keptUnits } from '../values/units.ts';
import { chosenTime } from './chosen-time.ts';
import { namesOf, unitsFor } from './detect-names.ts';
import { splitOf } from './detect-split.ts';
import { timeColumns, withZone } from './detect-time.ts';
import { type LikelyColumn, likelyColumn, likelyDecimal, withQuality, writtenColumn } from './detect-values.ts';
import { type Header, knownHeader } from './known-headers.ts';
import { labelsOver, timeIn, wideBlanks } from './label-columns.ts';
import { type Head, ROWS_MAX, sampleRows } from './sample.ts';
import { type Table, tableOf } from './sample-table.ts';
import { type Ambiguous, refuseAmbiguous, type TimeColumns } from './time-columns.ts';
import { bareTime } from './time-forms.ts';

interface DetectOptions {
  /** These texts of the file mean no value. */
  readonly isMissing?: (text: string) => boolean;
  /** Columns that make the time together: `<label or number from 1>[:<format>]`. */
  readonly time?: readonly string[];
  /**
   * Is called for a time that may begin with its day or its month, which is then taken to begin with the day; absent =
   * it is refused.
   */
  readonly ambiguous?: Ambiguous;
}

/** A layout comes with what is known of it beside. */
export interface DetectedLayout extends Layout {
  readonly guesses: readonly Guess[];
  /** Words and codes in columns of numbers that seem to mean no value. */
  readonly likelyMissing: readonly string[];
  /** No row of the sample has a text in these columns. */
  readonly emptyColumns: readonly number[];
}

/**
 * The layout of a file. `settings` come first; the rest is taken from the head: a header of a known format, the delimiter,
 * which columns have the time and in what form, and the types of the others.
 * @throws DomainError invalid_argument: no time is found, or day and month cannot be distinguished
 */
export async function detectLayout(
  head: Head,
  settings: ParserSettings,
  { isMissing = () => false, time: chosen = [], ambiguous = refuseAmbiguous }: DetectOptions = {},
): Promise<DetectedLayout> {
  const header = await knownHeader(head);
  const textQualifier = settings.textQualifier ?? header?.textQualifier ?? '"';
  const split = await splitOf(head, settings, header, textQualifier);
  const isGiven = settings.columns !== undefined && settings.columns.length > 0;
  const max = isGiven ? undefined : ROWS_MAX;
  const rows = await sampleRows(
    head,
    { ...split, textQualifier },
    { isStrict: !isGiven, recovers: isGiven, ...(max && { max }) },
  );
  const isBlank = split.delimiter === 'SPACE' && !header;
  const given = {
    kind: header?.kind ?? ('DELIMITED' as const),
    ...split,
    textQualifier,
    match: settings.match ?? ('SMART' as const),
    format: settings.format ?? ('COLUMN' as const),
    width: isGiven ? undefined : header?.width,
    rowSeries: settings.rowSeries ?? [],
  };
  if (isGiven) {
    const named = isBlank ? wideBlanks(rows, head, headerLinesOf(settings, header)) : rows;
    return { ...given, ...givenLayout(named, settings, header) };
  }
  if (given.format === 'ROW') throw invalid('NO_COLUMNS', 'parser.columns: the format ROW needs its columns');
  const asked = chosen.length > 0 ? chosenTime(chosen, rows, header) : undefined;
  const known = Math.max(headerLinesOf(settings, header), asked?.labelsLine ?? 0);
  if (!rows.some(({ line }) => line > known)) throw invalid('NO_DATA', noDataAfter(known));
  const unwanted = new Set(header?.unwanted);
  const likely = tableOf(rows, known, header?.labels);
  const first = asked ?? (await inSlices(timeColumns(likely, unwanted, () => undefined)));
  const headerLines = known || headerEnd(rows, first, likely);
  const table = await inSlices(readableTable(rows, headerLines, first, header?.labels));
  // The labels are known for sure now: they may say what a date begins with.
  const times = asked ?? (await inSlices(timeColumns(table, unwanted, ambiguous)));
  const place = { headerLines, width: table.dataWidth, timeIndex: times.index };
  const named = isBlank ? wideBlanks(rows, head, headerLines) : rows;
  const names = namesOf(named, settings, header, { ...place, isBlank });
  const { labels: found, guess } = header ? { labels: names.labels } : labelsOver(names.labels, table.data, times);
  const labels = found.length === 0 && guess ? [] : found;
  const units = header ? names.units : unitsFor(labels, guess ? [] : shifted(names.units, names.labels, labels));
  const shape = { ...table, labels, width: Math.max(table.dataWidth, labels.length) };
  const time = withZone(times, shape);
  const { guesses, ...series } = await inSlices(
    seriesColumns(shape, time, { header, settings, isMissing, units, delimiter: split.delimiter }),
  );
  const allGuesses = guess ? [...guesses, { of: 'NAMES' as const, text: guess }] : guesses;
  const { labelsRow, unitsRow } = names;
  return { ...given, headerLines, labelsRow, unitsRow, labels, ...series, guesses: allGuesses };
}

/** Units where labels have moved to their columns. */
function shifted(units: readonly string[], labels: readonly string[], moved: readonly string[]): readonly string[] {
  if (moved === labels) return units;
  const first = moved.findIndex((label, n) => label !== labels[n]);
  const by = moved.length - labels.length;
  return [...units.slice(0, first), ...Array<string>(by).fill(''), ...units.slice(first)];
}

/** Lays out a file whose settings have columns. */
function givenLayout(rows: readonly Row[], settings: ParserSettings, header: Header | undefined) {
  const lineOf = (line: number | undefined) => rows.find((row) => row.line === line)?.fields.map((text) => text.trim());
  const written = lineOf(settings.labelsRow) ?? header?.labels ?? [];
  const givenUnits = lineOf(settings.unitsRow) ?? header?.units ?? [];
  const headerLines = headerLinesOf(settings, header);
  const data = rows.filter((row) => row.line > headerLines);
  const columns = settings.columns ?? [];
  const time = timeIn(columns);
  // The series are those of the labels as they are unless columns have separate keys.
  const isKeyed = columns.every(({ type, series }) => type === 'RECORD_TIME' || type === 'DISABLED' || series);
  const labels = header || !time || !isKeyed ? written : labelsOver(written, data, time).labels;
  const below = labels.length === 0 && written.length > 0 ? [] : shifted(givenUnits, written, labels);
  const units = header ? below : unitsFor(labels, below);
  return {
    decimalSeparator: settings.decimalSeparator ?? ('.' as const),
    headerLines,
    labels,
    units: units.map(keptUnits),
    columns: settings.columns ?? [],
    guesses: [],
    likelyMissing: [],
    emptyColumns: [],
  };
}

type Known = {
  readonly header: Header | undefined;
  readonly settings: ParserSettings;
  readonly isMissing: (text: string) => boolean;
  readonly units: readonly string[];
  readonly delimiter: string;
};

type SeriesColumns = Pick<
  DetectedLayout,
  'decimalSeparator' | 'columns' | 'units' | 'guesses' | 'likelyMissing' | 'emptyColumns'
>;

/** Types of the columns beside the time, and the decimal separator that they share. */
function* seriesColumns(
  table: Table,
  time: TimeColumns,
  { header, settings, isMissing, units, delimiter }: Known,
): Steps<SeriesColumns> {
  const { textsOf, width, labels } = table;
  const used = new Set([time.index, ...time.joins.flatMap(({ column }) => column ?? [])]);
  const unwanted = new Set(header?.unwanted);
  const isValue = (index: number) => !used.has(index) && !unwanted.has(index);
  const indexes = Array.from({ length: width }, (_, index) => index);
  const texts: (readonly string[])[] = [];
  for (const index of indexes.filter(isValue)) {
    texts.push(textsOf(index));
    yield;
  }
  const decimal = yield* likelyDecimal(texts, delimiter);
  const decimalSeparator = settings.decimalSeparator ?? decimal.separator;
  const guesses: Guess[] = [];
  if (settings.decimalSeparator === undefined && decimal.isOpen) guesses.push(ofDecimal(decimalSeparator));
  const missing = new Set<string>();
  const ownUnits = [...units];
  const columnAt = (index: number): ColumnSettings => {
    if (index === time.index) return { index, type: 'RECORD_TIME', joins: time.joins };
    if (!isValue(index)) return { index, type: 'DISABLED' };
    const likely: LikelyColumn = header?.texts?.has(index)
      ? { column: { index, type: 'TEXT' }, missing: [] }
      : likelyColumn(index, textsOf(index), decimalSeparator, isMissing);
    const written =
      header?.kind === 'CATCHMENT' && likely.column.type === 'TEXT' && !header.texts?.has(index)
        ? writtenColumn(index, textsOf(index))
        : undefined;
    for (const word of likely.missing) missing.add(word);
    if (likely.units && !ownUnits[index]) ownUnits[index] = likely.units;
    if (likely.odd !== undefined && !written) guesses.push(ofType(index, likely, labelOf({ labels }, index)));
    return withQuality(written ?? likely.column, header?.qualities?.get(index));
  };
  const columns: ColumnSettings[] = [];
  for (const index of indexes) {
    columns.push(columnAt(index));
    yield;
  }
  const all = Array.from({ length: Math.max(ownUnits.length, 0) }, (_, n) => keptUnits(ownUnits[n] ?? ''));
  return {
    decimalSeparator,
    columns,
    units: all,
    guesses,
    likelyMissing: [...missing],
    emptyColumns: indexes.filter((index) => textsOf(index).length === 0),
  };
}

const ofDecimal = (separator: '.' | ','): Guess => ({
  of: 'DECIMAL_SEPARATOR',
  text: `Numbers such as 1${separator}234 are taken for ones with three decimals; set parser.decimalSeparator to '${separator === '.' ? ',' : '.'}' where they are thousands.`,
});

const ofType = (index: number, { column, odd = '' }: LikelyColumn, label: string): Guess => ({
  of: 'TYPE',
  column: index + 1,
  text:
    column.type === 'NUMBER'
      ? `Column ${index + 1} (${label.slice(0, 80)}) is taken for one of numbers; '${odd.slice(0, 40)}' in it is none, and fails.`
      : `Column ${index + 1} (${label.slice(0, 80)}) is taken for one of texts, though most of it are numbers: '${odd.slice(0, 40)}' is none. Name it in parser.missing where it means no value.`,
});

const headerLinesOf = (
  { labelsRow = 0, unitsRow = 0, dataRow = 1 }: ParserSettings,
  header: Header | undefined,
): number => Math.max(labelsRow, unitsRow, dataRow - 1, header?.headerLines ?? 0);

/**
 * The text says that a file ends with its header. The line says how long it was expected to be: another page may have
 * come in its place.
 */
export const noDataAfter = (headerLines: number): string =>
  `file: has no lines with data${headerLines > 0 ? ` after line ${headerLines}, where its header ends` : ''}`;

/** Picks the rows whose time can be read: others say nothing of the columns. */
function* readableTable(
  rows: readonly Row[],
  headerLines: number,
  time: TimeColumns,
  labels: readonly string[] | undefined,
): Steps<Table> {
  const reads = timeOfRow(time);
  const readable: Row[] = [];
  for (const [n, row] of rows.entries()) {
    if (row.line <= headerLines || reads(row)) readable.push(row);
    if (n % 500 === 0) yield;
  }
  return tableOf(readable.some(({ line }) => line > headerLines) ? readable : rows, headerLines, labels, true);
}

function timeOfRow({ joins }: TimeColumns): (row: Row) => boolean {
  const times = joins.filter(({ field }) => field === 'TIME');
  const patterns = times.map(({ column = 0, format }) => ({ column, pattern: patternOf(format, times.length > 1) }));
  const hasZone = joins.some(({ field }) => field === 'TIMEZONE');
  const textOf = (field: string) => bareTime((hasZone ? (beforeZone(field) ?? field) : field).trim());
  return ({ fields }) =>
    patterns.every(({ column, pattern }) => pattern.read(textOf(fields[column] ?? ''), 'LENIENT') !== undefined);
}

/** Returns the line before the first one that has a time where the data have it, and about as many fields. */
function headerEnd(rows: readonly Row[], time: TimeColumns, { dataWidth, namesLine }: Table): number {
  const reads = timeOfRow(time);
  const first = rows.find(
    (row) => row.line > namesLine && row.fields.length * 2 >= Math.min(dataWidth, 4) && reads(row),
  );
  return first === undefined ? 0 : first.line - 1;
}
