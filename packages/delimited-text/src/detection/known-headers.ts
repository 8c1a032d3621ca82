import { invalid } from '@catchment/errors';
import { parse } from 'csv-parse/sync';
import type { TextKind } from '../records/layout.ts';
import { unitsIn } from '../values/units.ts';
import { type Head, SAMPLE_ROWS, sampleRows } from './sample.ts';

/** The lines before the data say this. */
export interface Header {
  readonly kind: TextKind;
  readonly delimiter: string;
  readonly textQualifier: string;
  readonly headerLines: number;
  /** The first line is 1; undefined where there are no labels. */
  readonly labelsLine: number | undefined;
  readonly unitsLine: number | undefined;
  readonly width: number | undefined;
  readonly labels: readonly string[];
  readonly units: readonly string[];
  /** Columns that are no series: counters of records, numbers of stations. */
  readonly unwanted: readonly number[];
  /** Maps a column of values to the column of their qualities. */
  readonly qualities?: ReadonlyMap<number, number>;
  /** Columns that are texts, whatever these look like. */
  readonly texts?: ReadonlySet<number>;
}

const refuse = (line: number, rule: string) => invalid('INVALID_HEADER', `line ${line}: ${rule}`);
const trimmed = (fields: readonly string[] = []): string[] => fields.map((field) => field.trim());

/**
 * Reads the header of a format that identifies itself: TOA5 and TOACI1 of Campbell loggers, MON of Van Essen's, RDB of the USGS, CSV that
 * Catchment has written.
 * @returns undefined for any other file
 * @throws DomainError invalid_argument naming the line, where it begins as one of them and goes on otherwise
 */
export async function knownHeader(head: Head): Promise<Header | undefined> {
  return (
    (await toa5Header(head)) ??
    (await toaci1Header(head)) ??
    (await rdbHeader(head)) ??
    monHeader(head) ??
    (await catchmentHeader(head))
  );
}

/** Reads four lines: station and table, names, units, and how the logger has made the values. */
async function toa5Header(head: Head): Promise<Header | undefined> {
  const found = /^"?TOA5"?([,\t;])/.exec(head.text);
  if (found === null) return undefined;
  const delimiter = found[1]!;
  const rows = await sampleRows(head, { delimiter, textQualifier: '"' });
  const lineOf = (number: number) => rows.find(({ line }) => line === number)?.fields;
  const names = trimmed(lineOf(2));
  const [units, process] = [trimmed(lineOf(3)), trimmed(lineOf(4))];
  if (names.length < 2) throw refuse(2, 'a TOA5 file has the names of its columns here');
  if (units.length !== names.length) {
    throw refuse(3, `a TOA5 file has a unit for each of the ${names.length} names of line 2 here, not ${units.length}`);
  }
  if (process.length !== names.length) {
    throw refuse(4, `a TOA5 file has the process of each of the ${names.length} names of line 2 here`);
  }
  // Spreadsheets fill lines up with empty cells.
  const named = names.findLastIndex((name) => name !== '') + 1;
  const unwanted = names.flatMap((name, index) =>
    index >= named || name === 'RECORD' || units[index] === 'RN' ? [index] : [],
  );
  checkNames(names.slice(0, named), 2);
  const width = names.length;
  const shown = units.map((unit) => (unit === 'TS' || unit === 'RN' ? '' : unit));
  const lines = { headerLines: 4, labelsLine: 2, unitsLine: 3 };
  return { kind: 'TOA5', delimiter, textQualifier: '"', ...lines, width, labels: names, units: shown, unwanted };
}

/** Reads two lines: station and table, and names. */
async function toaci1Header(head: Head): Promise<Header | undefined> {
  const delimiter = /^"?TOACI1"?([,\t;])/.exec(head.text)?.[1];
  if (delimiter === undefined) return undefined;
  const rows = await sampleRows(head, { delimiter, textQualifier: '"' });
  const labels = trimmed(rows.find(({ line }) => line === 2)?.fields);
  if (labels.length < 2) throw refuse(2, 'a TOACI1 file has the names of its columns here');
  checkNames(labels, 2);
  return {
    kind: 'DELIMITED',
    delimiter,
    textQualifier: '"',
    headerLines: 2,
    labelsLine: 2,
    unitsLine: undefined,
    width: undefined,
    labels,
    units: labels.map(unitsIn),
    unwanted: labels.flatMap((name, index) => (/^(?:RECNBR|RECORD)$/i.test(name) ? [index] : [])),
  };
}

/** The measures of each channel are in its block: `[Channel 1]`, `Identification =PRESSURE`, `Range =2000.00 cmH2O`; then `[Data]` and their count. */
function monHeader({ text }: Head): Header | undefined {
  const found = /^\[Data\][^\S\r\n]*(?:\r\n|\n|\r)[^\S\r\n]*\d+[^\S\r\n]*(?:\r\n|\n|\r)/m.exec(text);
  if (!found || !/^\s*\[Channel 1\]/im.test(text.slice(0, found.index))) return undefined;
  const blocks = text
    .slice(0, found.index)
    .split(/^\s*\[(?=\w)/m)
    .filter((block) => /^Channel \d+\]/i.test(block));
  const entryOf = (block: string, key: string) =>
    new RegExp(`^\\s*${key}\\s*=[^\\S\\r\\n]*(.*?)\\s*$`, 'im').exec(block)?.[1] ?? '';
  const headerLines = text.slice(0, found.index + found[0].length).split(/\r\n|\n|\r/).length - 1;
  return {
    kind: 'DELIMITED',
    delimiter: 'SPACE',
    textQualifier: '',
    headerLines,
    labelsLine: undefined,
    unitsLine: undefined,
    width: undefined,
    unwanted: [],
    labels: ['', '', ...blocks.map((block) => entryOf(block, 'Identification'))],
    units: ['', '', ...blocks.map((block) => /^[-+\d.,]+\s*(\D.*)$/.exec(entryOf(block, 'Range'))?.[1] ?? '')],
  };
}

function checkNames(names: readonly string[], line: number): void {
  const seen = new Set<string>();
  names.forEach((name, index) => {
    if (name === '') throw refuse(line, `column ${index + 1}: must have a name`);
    if (seen.has(name)) throw refuse(line, `column ${index + 1}: there is another column named ${name}`);
    seen.add(name);
  });
}

const RDB_WIDTHS = /^\d+[a-z](?:\t\d+[a-z])*$/i;
/** The agency and the site are the same in every line. */
const RDB_UNWANTED = new Set(['agency_cd', 'site_no']);

/** Comments after `#`, the names of columns, and their widths and types such as `5s`. */
async function rdbHeader(head: Head): Promise<Header | undefined> {
  const lines = head.text.split(/\r\n|\n|\r/);
  const first = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  const names = lines[first]?.split('\t').map((name) => name.trim());
  const widths = lines[first + 1]?.trim() ?? '';
  if (first < 0 || names === undefined || !RDB_WIDTHS.test(widths)) return undefined;
  const width = widths.split('\t').length;
  if (width !== names.length) {
    throw refuse(
      first + 2,
      `an RDB file has a width for each of the ${names.length} names of the line before, not ${width}`,
    );
  }
  checkNames(names, first + 1);
  const unwanted = names.flatMap((name, index) => (RDB_UNWANTED.has(name) ? [index] : []));
  return {
    kind: 'RDB',
    delimiter: '\t',
    textQualifier: '',
    headerLines: first + 2,
    labelsLine: first + 1,
    unitsLine: undefined,
    // Empty fields at the end of a line may be left out.
    width: undefined,
    labels: names,
    units: names.map(() => ''),
    unwanted,
  };
}

/** Matches the qualifier, the word, the delimiter and the first id of its first line; blanks as delimiters would be taken together. */
const CATCHMENT = /^(.?)Id\1([^ \r\n]{1,5}?)\1[0-9a-f]{24}/su;

/** Reads three lines that begin with Id, Timestamp and Units (docs/reference/records-and-documents.md#csv). */
async function catchmentHeader(head: Head): Promise<Header | undefined> {
  const [, textQualifier = '"', delimiter = /^"?Id"?([,;\t|])/.exec(head.text)?.[1]] = CATCHMENT.exec(head.text) ?? [];
  if (delimiter === undefined) return undefined;
  const rows = await sampleRows(head, { delimiter, textQualifier });
  const [ids, names, units] = rows;
  if (ids?.line !== 1 || names?.fields[0] !== 'Timestamp' || units?.fields[0] !== 'Units') return undefined;
  const labels = trimmed(names.fields);
  // Cells behind a value have no id of their own, but their name in this line too.
  const areOf = (suffix: string) =>
    labels.flatMap((label, index) => (label.endsWith(suffix) && ids.fields[index]?.trim() === label ? [index] : []));
  const qualities = areOf(' [Quality]');
  return {
    kind: 'CATCHMENT',
    delimiter,
    textQualifier,
    headerLines: 3,
    labelsLine: 2,
    unitsLine: 3,
    width: names.fields.length,
    labels,
    units: ['', ...trimmed(units.fields).slice(1)],
    unwanted: [...qualities, ...areOf(' [Annotation]')],
    qualities: new Map(qualities.map((index) => [index - 1, index])),
    texts: textColumns(head, { delimiter, textQualifier }),
  };
}

/** Columns that have a cell in qualifiers that it does not need: only texts have, whatever they look like. */
function textColumns(
  head: Head,
  { delimiter, textQualifier }: { delimiter: string; textQualifier: string },
): Set<number> {
  const columns = new Set<number>();
  if (textQualifier === '') return columns;
  try {
    parse(head.text, {
      delimiter,
      quote: textQualifier,
      escape: textQualifier,
      from_line: 4,
      to: SAMPLE_ROWS,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      cast: (cell, { quoting, column }) => {
        const isNeeded = cell.includes(delimiter) || cell.includes(textQualifier) || /[\r\n]/.test(cell);
        if (quoting && !isNeeded && typeof column === 'number') columns.add(column);
        return cell;
      },
    });
  } catch {
    // The head may end within a row; what was seen before counts.
  }
  return columns;
}
