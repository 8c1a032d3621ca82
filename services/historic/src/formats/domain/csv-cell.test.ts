// These tests read CSV answers with a separate reader, which must find what the answers say, whatever is in their cells.
import { atOnce } from '@catchment/fair-queue';
import { seedOf } from '@catchment/testkit/amount';
import { randomFrom } from '@catchment/testkit/write-model';
import { parse } from 'csv-parse/sync';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import { readOptions } from '../../columns/domain/read-options.ts';
import { viewOf } from '../../columns/domain/series-view.ts';
import { columnTable, type TableColumn } from './column-table.ts';
import { csvText } from './csv-text.ts';

const SEED = seedOf('CSV_SEED');
const random = randomFrom(SEED);
const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;

const DELIMITERS = [',', ';', '\t', ' ', '|', '||', '-', '.', ':', '1', 'ab', ',,,,,', '€'];
const QUALIFIERS = ['"', "'", '|', '0', '€', ''];
const PLACEMENTS = ['NONE', 'DELIMITED_WITH_VALUE', 'SEPARATE_VALUE'];
const TEXTS = [
  '',
  'a',
  'a,b',
  '"',
  'say "b"',
  "it's",
  'two\nlines',
  'a\r',
  '\r\n',
  ';',
  'a|',
  '€',
  ' b ',
  '100',
  'ab',
  '\t',
];
const NUMBER_FORMATS = [
  '',
  '0.###',
  '#,##0.0',
  '0.0\' "m"\'',
  "0'\n'",
  "'a,b '0",
  '0;(0)',
  '0.00E0',
  "0'|'",
  '0%',
  "'\"'0'\"'",
];
const TIME_FORMATS = ['', 'YYYY-MM-DD, HH:mm', 'D.M.YYYY;HH', '["]YYYY["]', 'YYYY[\n]MM', 'YYYY|', 'x'];
const NAMES = ['Level', 'Level, upper', 'Say "hi"', 'a|', "it's 1"];
const UNITS = ['', 'm', 'm,s', '"', 'l/s|', 'm³'];

/** Makes a column of any type with records at some of the times 0 to 4. */
function randomColumn(given: Record<string, string>): { column: TableColumn; cells: Map<number, Cell> } {
  const valueType = pick(Object.values(TYPES));
  const format = valueType === TYPES.NUMBER ? pick(NUMBER_FORMATS) : valueType === TYPES.TIME ? pick(TIME_FORMATS) : '';
  const series = { valueType, units: pick(UNITS), format, displayType: 'VALUE' };
  const view = viewOf(seriesNode({ name: pick(NAMES), series }), readOptions(given, 0));
  const times = [0, 1, 2, 3, 4].filter(() => random() < 0.6);
  const records = recordSet(
    valueType,
    times.map((timeMs) => ({
      timeMs,
      ...(random() < 0.8 && {
        number: pick([0, -7.25, 1234567.891, 0.5, 1e-7, 4e11]),
        longitude: -2.5,
        text: pick(TEXTS),
      }),
      ...(random() < 0.5 && { quality: pick([0, 100, 65_535]) }),
      ...(random() < 0.5 && { annotation: pick(TEXTS.slice(1)) }),
    })),
  );
  const cells = new Map(
    times.map((timeMs, n) => {
      const [code = -1, annotation = ''] = [records.qualities[n], records.annotations.get(n)];
      return [timeMs, { value: view.csv(records, n).text, quality: code < 0 ? '' : String(code), annotation }];
    }),
  );
  return { column: { records, view }, cells };
}
type Cell = { value: string; quality: string; annotation: string };
const NO_CELL: Cell = { value: '', quality: '', annotation: '' };

/** Reads the cells of a column of a record, or those of the header by what stands for its parts. */
function cellsOf({ value, quality, annotation }: Cell, given: Record<string, string>): string[] {
  const within =
    (given.quality === 'DELIMITED_WITH_VALUE' ? given.qualityDelimiter + quality : '') +
    (given.annotation === 'DELIMITED_WITH_VALUE' ? given.annotationDelimiter + annotation : '');
  return [
    value + within,
    ...(given.quality === 'SEPARATE_VALUE' ? [quality] : []),
    ...(given.annotation === 'SEPARATE_VALUE' ? [annotation] : []),
  ];
}

function headerOf({ view: { node } }: TableColumn, first: string, given: Record<string, string>): string[] {
  const isUnits = first === node.series.units;
  const own = (suffix: string) => (isUnits ? '' : `${node.name} [${suffix}]`);
  const of = (placement: string | undefined, name: string) => (placement === 'SEPARATE_VALUE' ? own(name) : name);
  return cellsOf(
    { value: first, quality: of(given.quality, 'Quality'), annotation: of(given.annotation, 'Annotation') },
    given,
  );
}

test('any formats, delimiters, qualifiers and texts are read back as they were', () => {
  let refused = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const [delimiter, textQualifier] = [pick(DELIMITERS), pick(QUALIFIERS)];
    const given: Record<string, string> = {
      format: 'CSV',
      delimiter,
      textQualifier,
      timeFormat: pick(TIME_FORMATS),
      quality: pick(PLACEMENTS),
      qualityDelimiter: pick([':', ',', '', '\n', '"']),
      annotation: pick(PLACEMENTS),
      annotationDelimiter: pick([';', ',', '', '"']),
    };
    const input = JSON.stringify({ SEED, round, given });
    if (textQualifier !== '' && delimiter.includes(textQualifier)) {
      expect(() => readOptions(given, 0)).toThrow('delimiter: must not hold the textQualifier');
      continue;
    }
    const all = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomColumn(given));
    const table = atOnce(columnTable(all.map(({ column }) => column)));
    const isIso = random() < 0.3;
    const timestamp = (ms: number) =>
      isIso ? `1970-01-01T00:00:00.00${ms}Z` : pick([`1970-01-01 ${ms}`, `1.1.1970, 0:00|${ms}`, `"${ms}\n`]);
    const stamps: string[] = [];
    const stamp = (ms: number) => {
      stamps.push(timestamp(ms));
      return stamps.at(-1) ?? '';
    };
    let text: string;
    try {
      text = [...csvText(table, readOptions(given, 0).csv, stamp, isIso)].join('');
    } catch (error) {
      expect({ input, textQualifier, message: String(error) }).toEqual({
        input,
        textQualifier: '',
        message: expect.stringContaining('textQualifier: must not be empty'),
      });
      refused += 1;
      continue;
    }
    const columns = all.map(({ column }) => column);
    const expected = [
      ['Id', ...columns.flatMap((column) => headerOf(column, column.view.node.nodeId, given))],
      ['Timestamp', ...columns.flatMap((column) => headerOf(column, column.view.node.name, given))],
      ['Units', ...columns.flatMap((column) => headerOf(column, column.view.node.series.units, given))],
      ...[...table.times].map((timeMs, n) => [
        stamps[n],
        ...all.flatMap(({ cells }) => cellsOf(cells.get(timeMs) ?? NO_CELL, given)),
      ]),
    ];
    const quote = textQualifier === '' ? false : textQualifier;
    const found: unknown = parse(text, { delimiter, quote, escape: textQualifier || '\0', record_delimiter: '\n' });
    expect({ input, found }).toEqual({ input, found: expected });
  }
  expect(refused).toBeGreaterThan(0);
});
