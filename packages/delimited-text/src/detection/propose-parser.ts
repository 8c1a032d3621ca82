import { COLUMNS_MAX } from '@catchment/ids';
import { countOf } from '@catchment/number-format';
import { type ColumnSettings, type Layout, labelOf, type ParserSettings } from '../records/layout.ts';
import { guessedEncoding } from '../records/text-report.ts';
import { decodeText, type FoundEncoding } from '../rows/decode.ts';
import { explained, refuseForeign, refuseMarkup } from '../rows/looks-like.ts';
import { patternOf } from '../times/auto-time.ts';
import { type NamedZone, zoneNamed, zoneOfLines } from '../times/zone-lines.ts';
import { zoneOfLabel } from '../times/zone-text.ts';
import { MISSING_CHARACTERS_MAX, MISSING_MAX, missingOf } from '../values/missing.ts';
import { reordered } from './date-orders.ts';
import { type DetectedLayout, detectLayout } from './detect-layout.ts';
import { readHead } from './sample.ts';
import { type Ambiguity, startsOf } from './time-columns.ts';

export interface Proposal {
  /** A parser with these settings reads a file like this one as it is read without any. */
  readonly parser: ParserSettings;
  readonly layout: 'TOA5' | 'USGS RDB' | 'CSV' | 'FIXED';
  /** The source has this zone, where the label of the time or a line above the data names one. */
  readonly timezone?: string;
  /** True where `timezone` is a region, whose clock follows daylight saving time. */
  readonly timezoneAdjustForDst?: boolean;
  /** The text says what the proposal was taken from, and what could not be decided, for people. */
  readonly why: string;
  /** Both ways to read a time that may begin with its day or its month; the first one is that of `parser`. */
  readonly readings?: readonly Reading[];
}

/** One way to read the times of a file. */
interface Reading {
  /** Tokens in docs/reference/time.md#format-tokens; those of several columns are parted by blanks. */
  readonly format: string;
  /** A time of the file means this day in this reading. */
  readonly example: { readonly text: string; readonly date: string };
  readonly parser: ParserSettings;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '|': 'vertical bars',
  '\t': 'tabs',
  SPACE: 'blanks',
};
const NAMES: Readonly<Record<string, string>> = { '\t': 'TAB', ';': 'SEMICOLON', '|': 'PIPE' };
/** Columns of a parser (docs/reference/acquisition.md#text-parser). */
const PARSER_COLUMNS_MAX = 1000;
/** A person may have settled this of a parser before its columns are proposed. */
type SettledParser = Omit<ParserSettings, 'columns' | 'rowSeries' | 'format'>;
const KEY_CHARACTERS = 255;

/**
 * A parser for files like this one, from its beginning, which may end anywhere. Times that may begin with their day or
 * their month are taken to begin with the day, which `why` explains.
 * @param settings stay as they are; the rest is taken from the file
 * @throws DomainError invalid_argument: no time is found, or the header is damaged
 */
export async function proposeParser(bytes: AsyncIterable<Uint8Array>, settings: SettledParser = {}): Promise<Proposal> {
  let found: FoundEncoding | undefined;
  const noted = (encoding: FoundEncoding) => {
    found = encoding;
  };
  const { head, text } = await readHead(decodeText(bytes, { ...settings, found: noted, head: refuseForeign }), {
    isCut: true,
  });
  await text.return(undefined);
  let open: Ambiguity | undefined;
  let unlikely: Ambiguity | undefined;
  const ambiguous = (found: Ambiguity) => {
    if (found.isUnlikely) unlikely = found;
    else open = found;
  };
  refuseMarkup(head.text);
  const isMissing = missingOf([...(settings.missing ?? [])], '.').isWord;
  const layout = await detectLayout(head, settings, { ambiguous, isMissing }).catch((error) => {
    throw explained(error, head.text);
  });
  const detected = parserOf(layout, encodingToName(found));
  const { left } = detected;
  const parser = { ...detected.parser, ...settings };
  const proposal = { parser, layout: kindOf(layout), ...(open && { readings: readingsOf(open, parser) }) };
  const zone = labelledZone(layout) ?? preambleZone(layout, head.text);
  const why = [
    reasonOf(layout),
    ...(open ? [doubtOf(open)] : []),
    ...(unlikely ? [unlikelyOf(unlikely)] : []),
    ...(zone ? [zoneReason(zone)] : []),
    ...(found?.by === 'GUESS' ? [guessedEncoding(found.encoding).text] : []),
    ...layout.guesses.map(({ text: guess }) => guess),
    ...(parser.missing ? [`Taken for no value: ${parser.missing.join(', ')}.`] : []),
    ...left,
  ].join(' ');
  const { timezone, timezoneAdjustForDst } = zone ?? {};
  return { ...proposal, ...(timezone && { timezone, timezoneAdjustForDst: timezoneAdjustForDst ?? false }), why };
}

const zoneReason = ({ label, timezone, timezoneAdjustForDst, line }: Zone): string =>
  `${line === undefined ? `The label '${label}'` : `Line ${line} ('${label}')`} names the zone${timezoneAdjustForDst ? `: the times are taken for those of clocks in ${timezone}, with daylight saving time` : ''}.`;

/** `line`: the line above the data that names the zone; absent: a label names it. */
type Zone = NamedZone & { readonly line?: number };

/** UTF-8 is what is read without a setting; a byte order mark says it to every reader. */
const encodingToName = (found: FoundEncoding | undefined): Pick<ParserSettings, 'encoding'> =>
  found && found.by !== 'BOM' && found.encoding !== 'UTF-8' ? { encoding: found.encoding } : {};

/** Returns the zone of the time as a whole, where its lines name none. */
function labelledZone(layout: Layout): Zone | undefined {
  const time = layout.columns.find(({ type }) => type === 'RECORD_TIME');
  if (!time || time.joins?.some(({ field }) => field === 'TIMEZONE')) return undefined;
  for (const column of new Set([time.index, ...(time.joins ?? []).map(({ column = time.index }) => column)])) {
    const label = (layout.labels[column] ?? '').slice(0, 80);
    const region = label.includes('/') ? zoneNamed(label) : undefined;
    if (region) return { label, ...region };
    const timezone = zoneOfLabel(label);
    if (timezone) return { label, timezone, timezoneAdjustForDst: false };
  }
  return undefined;
}

/** Where each time has an offset, no zone of the file counts. */
const HAS_OFFSET = /\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})(?![\d:])/;

function preambleZone({ columns, headerLines }: Layout, text: string): Zone | undefined {
  const time = columns.find(({ type }) => type === 'RECORD_TIME');
  const isOwn = time?.joins?.some(({ field, format = '' }) => field === 'TIMEZONE' || /^x$|Z/i.test(format));
  if (isOwn || headerLines === 0) return undefined;
  const lines = text.split(/\r\n|\n|\r/, headerLines + 1);
  if (HAS_OFFSET.test((lines[headerLines] ?? '').slice(0, 1000))) return undefined;
  const above = lines.slice(0, headerLines);
  const zone = zoneOfLines(above);
  return zone && { ...zone, line: above.findIndex((line) => line.includes(zone.label)) + 1 };
}

const KINDS = { TOA5: 'TOA5', RDB: 'USGS RDB', CATCHMENT: 'CSV' } as const;
const kindOf = ({ kind, columnWidths }: Layout): Proposal['layout'] =>
  kind === 'DELIMITED' ? (columnWidths.length > 0 ? 'FIXED' : 'CSV') : KINDS[kind];

function reasonOf({ kind, delimiter, columnWidths, headerLines }: Layout): string {
  if (kind === 'TOA5') return 'The file begins with TOA5, as those of Campbell loggers do.';
  if (kind === 'RDB') return 'The names of the columns are followed by their widths, as in RDB files of the USGS.';
  if (kind === 'CATCHMENT') return 'The header has the lines Id, Timestamp and Units.';
  const data = `Data begin in line ${headerLines + 1}.`;
  if (columnWidths.length > 0) return `The columns are aligned by blanks. ${data}`;
  const separator = SEPARATORS[delimiter] ?? `'${delimiter}'`;
  return `Fields are separated by ${separator}: most lines have as many of them. ${data}`;
}

const nameOf = (delimiter: string): string => NAMES[delimiter] ?? delimiter;

function parserOf(
  layout: DetectedLayout,
  { encoding }: Pick<ParserSettings, 'encoding'>,
): { readonly parser: ParserSettings; readonly left: readonly string[] } {
  const { columnWidths, labelsRow, unitsRow, headerLines, decimalSeparator, textQualifier, likelyMissing } = layout;
  const isFixed = columnWidths.length > 0;
  const named = Math.max(labelsRow ?? 0, unitsRow ?? 0);
  const missing = likelyMissing.filter((word) => word.length <= MISSING_CHARACTERS_MAX).slice(0, MISSING_MAX);
  const { columns, left } = columnsOf(layout);
  const parser = {
    ...(isFixed ? { columnWidths } : { delimiter: nameOf(layout.delimiter), textQualifier }),
    decimalSeparator,
    ...(encoding && { encoding }),
    ...(labelsRow && { labelsRow }),
    ...(unitsRow && { unitsRow }),
    ...(headerLines > named && { dataRow: headerLines + 1 }),
    ...(missing.length > 0 && { missing }),
    columns,
  };
  return { parser, left };
}

/**
 * Series are named after their columns; the later of two with one name has a number. Columns without anything and
 * series beyond the limit are left out.
 */
function columnsOf(layout: DetectedLayout): { readonly columns: ColumnSettings[]; readonly left: readonly string[] } {
  const taken = new Set<string>();
  let beyond = Math.max(0, layout.columns.length - PARSER_COLUMNS_MAX);
  const columns = layout.columns.slice(0, PARSER_COLUMNS_MAX).map((column): ColumnSettings => {
    if (column.type === 'RECORD_TIME' || column.type === 'DISABLED') return column;
    if (!layout.labels[column.index] && layout.emptyColumns.includes(column.index))
      return { index: column.index, type: 'DISABLED' };
    if (taken.size === COLUMNS_MAX) {
      beyond += 1;
      return { index: column.index, type: 'DISABLED' };
    }
    const label = labelOf(layout, column.index);
    let series = label.slice(0, KEY_CHARACTERS);
    for (let n = 2; taken.has(series); n += 1) series = `${label.slice(0, KEY_CHARACTERS - 8)} (${n})`;
    taken.add(series);
    return { ...column, series };
  });
  const left =
    beyond === 0
      ? []
      : [
          `A file may have ${COLUMNS_MAX} series: ${countOf(beyond, 'column more is', 'columns more are')} disabled; enable those that you need in the place of others.`,
        ];
  return { columns, left };
}

const doubtOf = ({ column, text, formats }: Ambiguity): string =>
  `Column ${column + 1}: '${text.slice(0, 40)}' may begin with ${startsOf(formats)}: the day is assumed. It is ${formats.map((format) => `${dateIn(text, format)} as ${format}`).join(', ')}.`;

const unlikelyOf = ({ column, text, formats: [format = '', other = ''] }: Ambiguity): string =>
  `Column ${column + 1}: '${text.slice(0, 40)}' is taken to begin with its day, which is ${dateIn(text, format)}; set the format ${other} where it begins with its year.`;

/** Returns the day that a text means. */
function dateIn(text: string, format: string): string {
  const [date = ''] = format.split(/(?<=Y) (?=[Hh])/);
  const { year = 0, month = 0, day = 0 } = patternOf(text.includes(':') ? format : date).read(text, 'SMART') ?? {};
  return `${year}-${`${month}`.padStart(2, '0')}-${`${day}`.padStart(2, '0')}`;
}

function readingsOf({ text, formats }: Ambiguity, parser: ParserSettings): Reading[] {
  return formats.map((format, n) => ({
    format,
    example: { text: text.slice(0, 40), date: dateIn(text, format) },
    parser: n === 0 ? parser : { ...parser, columns: (parser.columns ?? []).map((column) => turned(column, format)) },
  }));
}

/** Makes the column of the time anew, with day, month and year in the order of another format. */
function turned(column: ColumnSettings, like: string): ColumnSettings {
  if (column.type !== 'RECORD_TIME' || !column.joins) return column;
  const joins = column.joins.map((join) => ({
    ...join,
    ...(join.format && { format: reordered(join.format, like) }),
  }));
  return { ...column, joins };
}
