import { atOnce } from '@catchment/fair-queue';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import { readOptions } from '../../columns/domain/read-options.ts';
import { viewOf } from '../../columns/domain/series-view.ts';
import { columnTable, rowsOf } from './column-table.ts';
import { csvText, emptyRowBytes } from './csv-text.ts';
import { jtsText } from './jts-text.ts';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(24)) as [string, string, string];
const options = (given: Record<string, string> = {}) => readOptions(given, 0);

/** Makes three columns: two that meet at 2, one without data. */
function columns(given: Record<string, string> = {}) {
  const column = (nodeId: string, name: string, times: readonly number[], units = '') => ({
    records: recordSet(
      TYPES.NUMBER,
      times.map((timeMs) => ({ timeMs, number: timeMs * 10, ...(timeMs === 2 && { quality: 9 }) })),
    ),
    view: viewOf(seriesNode({ nodeId, name, series: { units } }), options(given)),
  });
  return [column(A, 'Level', [1, 2, 5], 'm'), column(B, 'Flow', []), column(C, 'Rain', [2, 3], 'mm')];
}

test.each<[number | undefined, boolean, number[]]>([
  [undefined, false, [1, 2, 3, 5]],
  [4, true, [1, 2, 3, 5]],
  [2, false, [1, 2]],
  [2, true, [3, 5]],
])('rows are the union of all times; limit %s from the end %s', (limit, isFromEnd, expected) => {
  const table = atOnce(columnTable(columns(), limit, isFromEnd));
  expect([...table.times]).toEqual(expected);
  const seen = [...rowsOf(table)].length;
  expect(seen).toBe(expected.length);
});

test('no columns have data: no rows', () => {
  expect([...atOnce(columnTable(columns().slice(1, 2))).times]).toEqual([]);
});

test('JTS: each row has the fields of the columns that have a record, the header all columns', () => {
  const { zone, csv } = options();
  const timestamp = (ms: number) => String(ms);
  const text = [...jtsText(atOnce(columnTable(columns())), { startMs: 0, endMs: 9 }, { zone, csv, timestamp })].join(
    '',
  );
  expect(text.slice(text.indexOf('  "data"'))).toBe(`  "data": [
    { "ts":1, "f": { "0": {"v":10} } },
    { "ts":2, "f": { "0": {"v":20,"q":9}, "2": {"v":20,"q":9} } },
    { "ts":3, "f": { "2": {"v":30} } },
    { "ts":5, "f": { "0": {"v":50} } }
  ]
}
`);
  const { header } = JSON.parse(text);
  expect(header.recordCount).toBe(4);
  expect(Object.values(header.columns).map((column) => (column as { name: string }).name)).toEqual([
    'Level',
    'Flow',
    'Rain',
  ]);
});

test('CSV: cells for every column, empty without a record', () => {
  const print = (given: Record<string, string>) =>
    [...csvText(atOnce(columnTable(columns(given))), options(given).csv, String)].join('').split('\n').slice(0, -1);
  expect(print({})).toEqual([
    `"Id","${A}","${B}","${C}"`,
    '"Timestamp","Level","Flow","Rain"',
    '"Units","m","","mm"',
    '1,10,,',
    '2,20,,20',
    '3,,,30',
    '5,50,,',
  ]);
  expect(print({ header: 'FALSE', quality: 'SEPARATE_VALUE' })).toEqual([
    '1,10,,,,,',
    '2,20,9,,,20,9',
    '3,,,,,30,',
    '5,50,,,,,',
  ]);
  const delimited = { header: 'FALSE', quality: 'DELIMITED_WITH_VALUE', annotation: 'SEPARATE_VALUE' };
  expect(print(delimited)[0]).toBe('1,10:,,:,,:,');
  // A row that has only its time costs this.
  expect(emptyRowBytes(3, options(delimited).csv)).toBe(',:,'.length * 3);
});

test('the baseline is the first value shown', () => {
  const given = { baselineType: 'RELATIVE', header: 'FALSE' };
  const table = atOnce(columnTable(columns(given), 2, true));
  expect([...csvText(table, options(given).csv, String)]).toEqual(['3,,,0\n', '5,0,,\n']);
});

test('columns of many records are joined in steps, to the union of their times', () => {
  const many = Array.from({ length: 5 }, (_, n) => Array.from({ length: 20_000 }, (_, row) => row * (n + 1)));
  const table = columnTable(
    many.map((times) => ({
      records: recordSet(
        TYPES.NUMBER,
        times.map((timeMs) => ({ timeMs, number: 1 })),
      ),
      view: viewOf(seriesNode({}), options()),
    })),
  );
  let steps = 0;
  let step = table.next();
  for (; !step.done; step = table.next()) steps += 1;
  expect(steps).toBeGreaterThan(10);
  expect([...step.value.times]).toEqual([...new Set(many.flat())].sort((a, b) => a - b));
});
