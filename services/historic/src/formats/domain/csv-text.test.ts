import type { SeriesConfig } from '@catchment/contracts/nodes';
import { atOnce } from '@catchment/fair-queue';
import { timeFormatter } from '@catchment/time';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import { readOptions } from '../../columns/domain/read-options.ts';
import { viewOf } from '../../columns/domain/series-view.ts';
import type { StoredRecord } from '../../records/domain/record-set.ts';
import { columnTable } from './column-table.ts';
import { csvText } from './csv-text.ts';

const ID = '0123456789abcdef01234567';
const T = Date.UTC(2014, 7, 16, 2, 0, 39);
const TS = '2014-08-16T02:00:39.000Z';

function lines(
  records: Partial<StoredRecord>[],
  given: Record<string, string> = {},
  series: Partial<SeriesConfig> = {},
) {
  const options = readOptions(given, 0);
  const view = viewOf(seriesNode({ nodeId: ID, name: 'Say "hi"', series: { units: 'm', ...series } }), options);
  const set = recordSet(
    series.valueType ?? TYPES.NUMBER,
    records.map((record) => ({ timeMs: T, ...record })),
  );
  const { timeFormat, zone } = options;
  const print = timeFormat === undefined ? zone.formatIso : timeFormatter(timeFormat, zone);
  const text = [...csvText(atOnce(columnTable([{ records: set, view }])), options.csv, print)].join('');
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text.split('\n').slice(0, -1);
}
const rows = (
  records: Partial<StoredRecord>[],
  given: Record<string, string> = {},
  series: Partial<SeriesConfig> = {},
) => lines(records, { header: 'FALSE', ...given }, series);

const FULL = [{ number: 28.21, quality: 100, annotation: 'a "b"' }];
const BARE = [{ number: 28.21 }];
const GAP = [{ quality: 158 }];

test('the example in docs/reference/records-and-documents.md#csv', () => {
  expect(rows(FULL, { quality: 'SEPARATE_VALUE' })).toEqual([`${TS},28.21,100`]);
});

test('no data: the header only, every cell qualified and the qualifier doubled', () => {
  expect(lines([])).toEqual([`"Id","${ID}"`, '"Timestamp","Say ""hi"""', '"Units","m"']);
  expect(rows([])).toEqual([]);
});

test.each<[Record<string, string>, string, string, string]>([
  [{}, '28.21', '28.21', ''],
  [{ quality: 'delimited_with_value' }, '28.21:100', '28.21:', ':158'],
  [{ quality: 'SEPARATE_VALUE' }, '28.21,100', '28.21,', ',158'],
  [{ annotation: 'DELIMITED_WITH_VALUE' }, '"28.21;a ""b"""', '28.21;', ';'],
  [{ annotation: 'SEPARATE_VALUE' }, '28.21,"a ""b"""', '28.21,', ','],
  [
    {
      quality: 'DELIMITED_WITH_VALUE',
      annotation: 'DELIMITED_WITH_VALUE',
      qualityDelimiter: '|',
      annotationDelimiter: '',
    },
    '"28.21|100a ""b"""',
    '28.21|',
    '|158',
  ],
  [{ quality: 'SEPARATE_VALUE', annotation: 'SEPARATE_VALUE' }, '28.21,100,"a ""b"""', '28.21,,', ',158,'],
  [{ quality: 'SEPARATE_VALUE', annotation: 'DELIMITED_WITH_VALUE' }, '"28.21;a ""b""",100', '28.21;,', ';,158'],
  [{ quality: 'DELIMITED_WITH_VALUE', annotation: 'SEPARATE_VALUE' }, '28.21:100,"a ""b"""', '28.21:,', ':158,'],
  [{ annotation: 'SEPARATE_VALUE', textQualifier: '' }, '28.21,a "b"', '28.21,', ','],
  [{ annotation: 'SEPARATE_VALUE', textQualifier: "'" }, `28.21,'a "b"'`, '28.21,', ','],
])('%j', (given, full, bare, gap) => {
  expect(rows([...FULL, ...BARE, ...GAP], given)).toEqual([full, bare, gap].map((cells) => `${TS},${cells}`));
});

test.each([
  [{ delimiter: ';' }, ';'],
  [{ delimiter: 'tab' }, '\t'],
  [{ delimiter: ' || ' }, ' || '],
  [{ delimiter: ' ' }, ' '],
])('%j', (given, delimiter) => {
  expect(lines(BARE, given)).toEqual([
    `"Id"${delimiter}"${ID}"`,
    `"Timestamp"${delimiter}"Say ""hi"""`,
    `"Units"${delimiter}"m"`,
    `${TS}${delimiter}28.21`,
  ]);
});

test('delimited qualities and annotations are shown in the cell of the value', () => {
  const given = { quality: 'DELIMITED_WITH_VALUE', annotation: 'DELIMITED_WITH_VALUE', textQualifier: '' };
  expect(lines([], given)).toEqual([
    `Id,${ID}:Quality;Annotation`,
    'Timestamp,Say "hi":Quality;Annotation',
    'Units,m:Quality;Annotation',
  ]);
});

test('separate qualities and annotations have cells of their own, without units', () => {
  const given = { quality: 'SEPARATE_VALUE', annotation: 'SEPARATE_VALUE', textQualifier: '' };
  expect(lines([], given)).toEqual([
    `Id,${ID},Say "hi" [Quality],Say "hi" [Annotation]`,
    'Timestamp,Say "hi",Say "hi" [Quality],Say "hi" [Annotation]',
    'Units,m,,',
  ]);
});

test('texts and states are qualified, an absent one is empty', () => {
  const TEXT = { valueType: TYPES.TEXT };
  expect(rows([{ text: 'a "b",c' }, {}, { text: '' }], {}, TEXT)).toEqual([`${TS},"a ""b"",c"`, `${TS},`, `${TS},""`]);
  const states = { statesType: 'RANGE', displayType: 'STATE' };
  expect(rows([{}], {}, states)).toEqual([`${TS},`]);
});

test.each<[string, Record<string, string>, Partial<SeriesConfig>, string]>([
  ['a number pattern', { renderFormat: '#,##0.0' }, {}, `${TS},"28,000.2"`],
  ['a literal of a pattern', { renderFormat: `0.0' "m"'` }, {}, `${TS},"28000.2 ""m"""`],
  ['a line break of a pattern', { renderFormat: "0'\n'" }, {}, `${TS},"28000\n"`],
  ['timeFormat', { timeFormat: 'D.M.YYYY, HH' }, {}, '"16.8.2014, 02",28000.21'],
  ['the format of a time', { renderFormat: 'YYYY,MM' }, { valueType: TYPES.TIME }, `${TS},"1970,01"`],
  ['coordinates', { delimiter: '/' }, { valueType: TYPES.COORDINATES }, `${TS}/"28000.21/-2"`],
  ['a number where the decimal point parts cells', { delimiter: '.' }, {}, '"2014-08-16T02:00:39.000Z"."28000.21"'],
  ['what ends as the delimiter begins', { delimiter: '||', renderFormat: "0'|'" }, {}, `${TS}||"28000|"`],
  ['a delimited quality', { quality: 'DELIMITED_WITH_VALUE', qualityDelimiter: ',' }, {}, `${TS},"28000.21,100"`],
])('a cell is qualified where it needs it: %s', (_what, given, series, line) => {
  const [record] = rows([{ number: 28_000.21, longitude: -2, quality: 100 }], { ...given, header: 'FALSE' }, series);
  expect(record).toEqual(line.split('\n')[0]);
});

test.each<[string, Record<string, string>, Partial<SeriesConfig>]>([
  ['a number', { renderFormat: '#,##0.0' }, {}],
  ['a timestamp', { timeFormat: 'D, HH' }, {}],
  ['an annotation', { annotation: 'SEPARATE_VALUE' }, {}],
  ['units', { header: 'TRUE' }, { units: 'm, above sea' }],
])('without a qualifier %s that needs one is refused', (_what, given, series) => {
  const write = () => rows([{ number: 28_000, annotation: 'a, b' }], { textQualifier: '', ...given }, series);
  expect(write).toThrow('textQualifier: must not be empty where a cell holds the delimiter or a line break');
});

test('numbers, times and coordinates are formatted and unqualified', () => {
  expect(rows([{ number: 1234.5 }], { delimiter: ';', renderFormat: '#,##0.00' })).toEqual([`${TS};1,234.50`]);
  expect(rows([{ number: 0 }], {}, { valueType: TYPES.TIME })).toEqual([`${TS},1970-01-01T00:00:00.000Z`]);
  expect(rows([{ number: 1.5, longitude: -2 }], {}, { valueType: TYPES.COORDINATES })).toEqual([`${TS},1.5/-2`]);
});
