import { invalid } from '@catchment/errors';
import { detectDate, detectInstant, detectTimeOfDay, patternOf } from './auto-time.ts';
import { readBoolean } from './field-values.ts';
import { fixedColumns } from './fixed-columns.ts';
import { type Header, knownHeader } from './known-headers.ts';
import type { ColumnSettings, Join, Layout, ParserSettings, SeriesType } from './layout.ts';
import { readNumber } from './numbers.ts';
import type { Row } from './rows.ts';
import { type Head, sampleLines, sampleRows } from './sample.ts';
import { beforeZone, isZone, mayBeZone, ZONE_LABEL } from './zone-text.ts';

const DELIMITERS = [',', '\t', ';', '|'];
/** Words for a missing value, besides those in docs/reference/acquisition.md#text-parser. */
const MISSING = /^(?:na|n\/a|nan|[+-]?inf|-+|null|none)?$/i;

export interface DetectOptions {
  /** Texts that mean no value, of this file. */
  readonly isMissing?: (text: string) => boolean;
  /** Columns that make the time together: `<label or number from 1>[:<format>]`. */
  readonly time?: readonly string[];
  /** Told of a time that may begin with its day or its month, which is then taken to begin with the day; absent = it is refused. */
  readonly ambiguous?: (column: number, text: string) => void;
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
): Promise<Layout> {
  const header = await knownHeader(head);
  const textQualifier = settings.textQualifier ?? header?.textQualifier ?? '"';
  const split = await splitOf(head, settings, header, textQualifier);
  const { delimiter } = split;
  const rows = await sampleRows(head, { ...split, textQualifier }, true);
  const lineOf = (line: number | undefined) => rows.find((row) => row.line === line)?.fields.map((text) => text.trim());
  const given = {
    kind: header?.kind ?? ('DELIMITED' as const),
    ...split,
    textQualifier,
    match: settings.match ?? ('SMART' as const),
    format: settings.format ?? ('COLUMN' as const),
    width: settings.columns?.length ? undefined : header?.width,
    rowSeries: settings.rowSeries ?? [],
  };
  if (settings.columns?.length) {
    return {
      ...given,
      decimalSeparator: settings.decimalSeparator ?? '.',
      headerLines: headerLinesOf(settings, header),
      labels: lineOf(settings.labelsRow) ?? header?.labels ?? [],
      units: lineOf(settings.unitsRow) ?? header?.units ?? [],
      columns: settings.columns,
    };
  }
  if (given.format === 'ROW') throw invalid('NO_COLUMNS', 'parser.columns: the format ROW needs its columns');
  const unwanted = new Set(header?.unwanted);
  const asked = chosen.length > 0 ? chosenTime(chosen, rows, header) : undefined;
  const known = Math.max(headerLinesOf(settings, header), asked?.labelsLine ?? 0);
  const likely = known === 0 ? likelyData(rows) : rows.filter(({ line }) => line > known);
  const times = asked ?? timeColumns(likely, known, unwanted, ambiguous);
  const headerLines = known || headerEnd(rows, times);
  const data = rows.filter(({ line }) => line > headerLines);
  const { labels, units, ...named } = names(rows, settings, header, headerLines, data);
  const time = withZone(times, data, labels);
  const decimalSeparator = settings.decimalSeparator ?? likelyDecimal(data, delimiter);
  const width = data.reduce((widest, { fields }) => Math.max(widest, fields.length), labels.length);
  const columns = Array.from({ length: width }, (_, index): ColumnSettings => {
    if (index === time.index) return { index, type: 'RECORD_TIME', joins: time.joins };
    if (unwanted.has(index) || time.joins.some(({ column }) => column === index)) return { index, type: 'DISABLED' };
    const column: ColumnSettings = header?.texts?.has(index)
      ? { index, type: 'TEXT' }
      : (header?.kind === 'CATCHMENT' && writtenColumn(index, data)) ||
        likelyColumn(index, data, decimalSeparator, isMissing);
    return withQuality(column, header?.qualities?.get(index));
  });
  return { ...given, decimalSeparator, headerLines, ...named, labels, units, columns };
}

const GROUPED = /^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/;
const COORDINATES = /^-?[\d.e-]+\/-?[\d.e-]+$/;

/** A column of numbers in groups, or of coordinates, as our CSV has them. */
function writtenColumn(index: number, data: readonly Row[]): ColumnSettings | undefined {
  const texts = textsOf(data, index);
  if (texts.length === 0) return undefined;
  if (texts.every((text) => GROUPED.test(text))) return { index, type: 'NUMBER' };
  if (!texts.every((text) => COORDINATES.test(text))) return undefined;
  const joins: Join[] = [{ field: 'LATITUDE' }, { field: 'SEPARATOR', format: '/' }, { field: 'LONGITUDE' }];
  return { index, type: 'COORDINATES', joins };
}

/** @param quality the column that has its qualities */
function withQuality(column: ColumnSettings, quality: number | undefined): ColumnSettings {
  const { type } = column;
  if (quality === undefined) return column;
  const own: readonly Join[] =
    column.joins ?? (type === 'NUMBER' || type === 'BOOLEAN' || type === 'TEXT' ? [{ field: type }] : []);
  return { ...column, joins: [...own, { column: quality, field: 'QUALITY' }] };
}

const headerLinesOf = (
  { labelsRow = 0, unitsRow = 0, dataRow = 1 }: ParserSettings,
  header: Header | undefined,
): number => Math.max(labelsRow, unitsRow, dataRow - 1, header?.headerLines ?? 0);

type Split = Pick<Layout, 'delimiter' | 'columnWidths'>;

/** What parts the fields of a line. */
async function splitOf(
  head: Head,
  settings: ParserSettings,
  header: Header | undefined,
  textQualifier: string,
): Promise<Split> {
  const delimiter = settings.delimiter ?? header?.delimiter;
  if (settings.columnWidths?.length) return { delimiter: delimiter ?? ',', columnWidths: settings.columnWidths };
  if (delimiter !== undefined) return { delimiter, columnWidths: [] };
  const likely = await likelyDelimiter(head, textQualifier);
  if (likely.share >= MOST_LINES || settings.columns?.length) return { delimiter: likely.delimiter, columnWidths: [] };
  const columnWidths = fixedColumns(sampleLines(head)) ?? [];
  if (columnWidths.length > 0) return { delimiter: ',', columnWidths };
  const blanks = await equallyWide(head, 'SPACE', textQualifier);
  return { delimiter: blanks.share > likely.share ? 'SPACE' : likely.delimiter, columnWidths: [] };
}

/** Lines that a delimiter must make equally wide before blanks are tried. */
const MOST_LINES = 0.5;

/** The delimiter that makes the most lines equally wide. */
async function likelyDelimiter(head: Head, textQualifier: string): Promise<{ delimiter: string; share: number }> {
  let best = { delimiter: ',', share: 0, fields: 1 };
  for (const delimiter of DELIMITERS) {
    const { share, fields } = await equallyWide(head, delimiter, textQualifier);
    if (share > best.share || (share === best.share && fields > best.fields)) best = { delimiter, share, fields };
  }
  return best;
}

/** The most common number of fields of a line, above 1, and the share of lines that have it. */
async function equallyWide(head: Head, delimiter: string, textQualifier: string) {
  const widths = (await sampleRows(head, { delimiter, textQualifier })).map(({ fields }) => fields.length);
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [fields, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [1, 0];
  return { fields, share: widths.length === 0 ? 0 : count / widths.length };
}

/** The later half of the first lines: no header is as long. */
const likelyData = (rows: readonly Row[]): readonly Row[] => rows.slice(Math.floor(rows.length / 2));

type TimeColumns = { readonly index: number; readonly joins: readonly Join[] };

const textsOf = (rows: readonly Row[], index: number): string[] =>
  rows.flatMap(({ fields }) => (fields[index]?.trim() ? [fields[index].trim()] : []));

/** That a file ends with its header. The line says how long it was expected to be: another page may have come in its place. */
export const noDataAfter = (headerLines: number): string =>
  `file: has no lines with data${headerLines > 0 ? ` after line ${headerLines}, where its header ends` : ''}`;

/** The first column that has a time in every line, or a date beside a time of day. */
function timeColumns(
  rows: readonly Row[],
  headerLines: number,
  unwanted: ReadonlySet<number>,
  ambiguous: NonNullable<DetectOptions['ambiguous']>,
): TimeColumns {
  const width = rows.reduce((widest, { fields }) => Math.max(widest, fields.length), 0);
  const noTime = invalid('NO_TIME', 'file: has no column with a timestamp in a form that is known; name its columns');
  if (rows.length === 0) throw invalid('NO_DATA', noDataAfter(headerLines));
  for (let index = 0; index < width; index += 1) {
    const texts = textsOf(rows, index);
    if (unwanted.has(index) || texts.length * 2 < rows.length) continue;
    const date = detectDate(texts);
    const instant = detectInstant(texts);
    if (date?.isAmbiguous || instant?.isAmbiguous) ambiguous(index, texts[0] ?? '');
    const own = (format: string): Join => ({ column: index, field: 'TIME', ...(format && { format }) });
    const timeOfDay = date && detectTimeOfDay(textsOf(rows, index + 1));
    if (date && timeOfDay) {
      return { index, joins: [own(date.format), { column: index + 1, field: 'TIME', format: timeOfDay.format }] };
    }
    if (instant) return { index, joins: [own(instant.format)] };
    const zoned = detectInstant(texts.flatMap((text) => beforeZone(text) ?? []));
    if (zoned && texts.filter((text) => beforeZone(text) !== undefined).length * 2 > texts.length) {
      if (zoned.isAmbiguous) ambiguous(index, texts[0] ?? '');
      return { index, joins: [own(zoned.format), { column: index, field: 'TIMEZONE' }] };
    }
  }
  throw noTime;
}

/** The time with the column that has the zone of each line: it is named so, or stands beside the time. */
function withZone(time: TimeColumns, data: readonly Row[], labels: readonly string[]): TimeColumns {
  if (time.joins.some(({ field }) => field === 'TIMEZONE')) return time;
  const used = time.joins.map(({ column }) => column ?? time.index);
  const width = data.reduce((widest, { fields }) => Math.max(widest, fields.length), labels.length);
  const column = Array.from({ length: width }, (_, index) => index).find((index) => {
    const texts = textsOf(data, index);
    if (used.includes(index) || texts.length === 0) return false;
    if (ZONE_LABEL.test(labels[index] ?? '')) return texts.every(mayBeZone);
    return (
      index === Math.max(...used) + 1 && !labels[index] && texts.every((text) => /[a-z]/i.test(text) && isZone(text))
    );
  });
  if (column === undefined) return time;
  return { ...time, joins: [...time.joins, { column, field: 'TIMEZONE' }] };
}

/** @throws DomainError invalid_argument */
function refuseAmbiguous(index: number, text: string): never {
  throw invalid(
    'AMBIGUOUS_TIME',
    `column ${index + 1}: '${text.slice(0, 40)}' may begin with its day or its month; give the time format`,
  );
}

/** The line before the first one that has a time where the data have it. */
function headerEnd(rows: readonly Row[], { joins }: TimeColumns): number {
  const patterns = joins.flatMap(({ column = 0, field, format }) =>
    field === 'TIME' ? [{ column, pattern: patternOf(format) }] : [],
  );
  const hasZone = joins.some(({ field }) => field === 'TIMEZONE');
  const textOf = (field: string) => (hasZone ? (beforeZone(field) ?? field) : field);
  const first = rows.find(({ fields }) =>
    patterns.every(({ column, pattern }) => pattern.read(textOf(fields[column] ?? ''), 'STRICT') !== undefined),
  );
  return first === undefined ? 0 : first.line - 1;
}

/** Lines from the top in which labels are looked for. */
const LABEL_LINES = 50;

/** The columns of the time that the caller chose. @throws DomainError invalid_argument where no line has such labels */
function chosenTime(
  chosen: readonly string[],
  rows: readonly Row[],
  header: Header | undefined,
): TimeColumns & { readonly labelsLine: number } {
  const places = header
    ? [{ line: header.headerLines, labels: header.labels }]
    : rows.slice(0, LABEL_LINES).map(({ line, fields }) => ({ line, labels: fields.map((field) => field.trim()) }));
  for (const { line, labels } of places) {
    const joins = chosen.map((text) => joinOf(text, labels));
    const isByNumber = joins.every((join) => join?.isByNumber);
    if (joins.every((join) => join !== undefined)) {
      const [first] = joins;
      return {
        index: first?.column ?? 0,
        joins: joins.map(({ isByNumber: _, ...join }) => join),
        labelsLine: header || !isByNumber ? line : 0,
      };
    }
  }
  throw invalid('NO_TIME', `file: has no line with the columns ${chosen.join(', ').slice(0, 200)}`);
}

/** `hour:H`: the label is as long as it can be, so that labels and formats may both have colons. */
function joinOf(
  text: string,
  labels: readonly string[],
): { column: number; field: 'TIME'; format?: string; isByNumber: boolean } | undefined {
  for (let end = text.length; end > 0; end = text.lastIndexOf(':', end - 1)) {
    const name = text.slice(0, end).trim();
    const byLabel = labels.indexOf(name);
    const column = byLabel >= 0 ? byLabel : /^\d{1,4}$/.test(name) ? Number(name) - 1 : -1;
    const format = text.slice(end + 1).trim();
    if (column >= 0 && column < labels.length) {
      return { column, field: 'TIME', ...(format && { format }), isByNumber: byLabel < 0 };
    }
  }
  return undefined;
}

function names(
  rows: readonly Row[],
  settings: ParserSettings,
  header: Header | undefined,
  headerLines: number,
  data: readonly Row[],
): Pick<Layout, 'labels' | 'units' | 'labelsRow' | 'unitsRow'> {
  const lineOf = (line: number | undefined) => rows.find((row) => row.line === line)?.fields.map((text) => text.trim());
  const width = data[0]?.fields.length ?? 0;
  const [labels, units] = header
    ? [
        { fields: header.labels, line: header.labelsLine },
        { fields: header.units, line: header.unitsLine },
      ]
    : rows
        .filter(({ line, fields }) => line <= headerLines && fields.length >= Math.min(width, 2))
        .map(({ fields, line }) => ({ fields: fields.map((text) => text.trim()), line }));
  const likelyUnits = settings.labelsRow ? undefined : units;
  return {
    labels: lineOf(settings.labelsRow) ?? labels?.fields ?? [],
    units: lineOf(settings.unitsRow) ?? likelyUnits?.fields ?? [],
    labelsRow: settings.labelsRow ?? labels?.line,
    unitsRow: settings.unitsRow ?? likelyUnits?.line,
  };
}

/** A comma, where numbers have one and the delimiter is another character. */
function likelyDecimal(data: readonly Row[], delimiter: string): '.' | ',' {
  if (delimiter === ',') return '.';
  let commas = 0;
  for (const { fields } of data) {
    for (const field of fields) {
      if (/^\s*[+-]?\d+\.\d+\s*$/.test(field)) return '.';
      if (/^\s*[+-]?\d+,\d+\s*$/.test(field)) commas += 1;
    }
  }
  return commas > 0 ? ',' : '.';
}

/** A column whose texts are all numbers, truths or times has that type; any other is TEXT. */
function likelyColumn(
  index: number,
  data: readonly Row[],
  decimalSeparator: '.' | ',',
  isMissing: (text: string) => boolean,
): ColumnSettings {
  const texts = textsOf(data, index).filter((text) => !MISSING.test(text) && !isMissing(text));
  const areAll = (reads: (text: string) => boolean) => texts.every(reads);
  let type: SeriesType = 'TEXT';
  if (areAll((text) => readNumber(text, 'STRICT', decimalSeparator) !== undefined)) type = 'NUMBER';
  else if (areAll((text) => readBoolean(text, 'STRICT') !== undefined)) type = 'BOOLEAN';
  if (type !== 'TEXT') return { index, type };
  const instant = detectInstant(texts, 1);
  if (!instant || instant.isAmbiguous) return { index, type };
  const format = instant.format;
  return { index, type: 'TIME', joins: [{ field: 'TIME', ...(format && { format }) }] };
}
