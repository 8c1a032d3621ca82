// These tests read CSV answers with our reader of files, which must make the same of them.

import { openText } from '@catchment/delimited-text';
import { atOnce } from '@catchment/fair-queue';
import { UTC_ZONE } from '@catchment/time';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import { readOptions } from '../../columns/domain/read-options.ts';
import { viewOf } from '../../columns/domain/series-view.ts';
import type { StoredRecord } from '../../records/domain/record-set.ts';
import { columnTable } from './column-table.ts';
import { csvText } from './csv-text.ts';

const T0 = Date.UTC(2024, 0, 1);
const COLUMNS: [string, (typeof TYPES)[keyof typeof TYPES], Partial<StoredRecord>[]][] = [
  [
    'Level, upper',
    TYPES.NUMBER,
    [{ number: 1.5, quality: 192 }, { number: -1e-7 }, { quality: 158 }, { number: 1e21 }],
  ],
  ['Flow', TYPES.NUMBER, [{ number: 12_345_678.25 }, { number: 999 }, { number: 1_000 }, {}]],
  ['Code', TYPES.TEXT, [{ text: '12' }, { text: '013', quality: 5 }, { text: '7' }, {}]],
  ['Say "hi"', TYPES.TEXT, [{ text: ' a, "b" ' }, { text: 'two\nlines' }, { text: 'NaN' }, { text: 'on;off|x\ty' }]],
  ['Served', TYPES.TIME, [{ number: T0 }, { number: T0 + 1 }, {}, {}]],
  ['Place', TYPES.COORDINATES, [{ number: 1.5, longitude: -2 }, { number: -43.5, longitude: 172.6 }, {}, {}]],
];
const VALUES: unknown[][] = [
  [1.5, 12_345_678.25, '12', ' a, "b" ', { timeMs: T0 }, [1.5, -2]],
  [-1e-7, 999, '013', 'two\nlines', { timeMs: T0 + 1 }, [-43.5, 172.6]],
  [undefined, 1_000, '7', 'NaN', undefined, undefined],
  [1e21, undefined, undefined, 'on;off|x\ty', undefined, undefined],
];

function textOf(given: Record<string, string>, format = ''): string {
  const options = readOptions({ format: 'CSV', ...given }, 0);
  const columns = COLUMNS.map(([name, valueType, records]) => ({
    records: recordSet(
      valueType,
      records.map((record, n) => ({ ...record, timeMs: T0 + n })),
    ),
    view: viewOf(
      seriesNode({ name, series: { valueType, units: 'a,b', format: name === 'Flow' ? format : '' } }),
      options,
    ),
  }));
  return [...csvText(atOnce(columnTable(columns)), options.csv, options.zone.formatIso, true)].join('');
}

async function readBack(text: string) {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const opened = await openText(bytes(), { zone: UTC_ZONE, nowMs: 0 });
  const rows = [];
  for await (const { timeMs, cells } of opened.records()) rows.push({ at: timeMs - T0, cells });
  return { ...opened, rows };
}

test.each<[Record<string, string>, string]>([
  [{}, ''],
  [{}, '#,##0.00'],
  [{ delimiter: ';' }, ''],
  [{ delimiter: 'TAB' }, '#,##0.00'],
  [{ delimiter: '||', textQualifier: "'" }, ''],
  [{ textQualifier: '€' }, '#,##0.00'],
  [{ delimiter: '.' }, ''],
  [{ quality: 'SEPARATE_VALUE', annotation: 'SEPARATE_VALUE' }, ''],
])('%j, numbers as "%s"', async (given, format) => {
  const { series, rows, report } = await readBack(textOf(given, format));
  expect(series.map(({ key, type, units }) => [key, type, units])).toEqual(
    COLUMNS.map(([name], n) => [name, ['NUMBER', 'NUMBER', 'TEXT', 'TEXT', 'TIME', 'COORDINATES'][n], 'a,b']),
  );
  expect(rows.map(({ at }) => at)).toEqual([0, 1, 2, 3]);
  expect(rows.map(({ cells }) => cells.map((cell) => cell?.value ?? undefined))).toEqual(VALUES);
  expect(report).toMatchObject({ failed: 0, unreadableFields: 0 });
  if (given.quality) expect(rows.map(({ cells }) => cells[0]?.quality)).toEqual([192, undefined, 158, undefined]);
});

describe('CSV for spreadsheets', () => {
  test('a decimal comma parts cells by semicolons, and groups by points', () => {
    const [, , , first] = textOf({ decimalSeparator: ',' }, '#,##0.00').split('\n');
    expect(first).toMatch(/^2024-01-01T00:00:00\.000Z;1,5;12\.345\.678,25;"12";.*;1,5\/-2$/);
  });

  test('a delimiter that is given stays: numbers with it are in qualifiers', () => {
    expect(textOf({ decimalSeparator: ',', delimiter: ',' }).split('\n')[3]).toContain(',"1,5","12345678,25",');
  });

  test('a byte order mark is the first character, and once', () => {
    expect(textOf({ byteOrderMark: 'TRUE' }).lastIndexOf('\uFEFF')).toBe(0);
  });

  test.each(['=1+1', '+1', '-x', '@x', '\tx'])('the text %j is no formula with formulaGuard', (text) => {
    const options = readOptions({ format: 'CSV', formulaGuard: 'TRUE', header: 'FALSE' }, 0);
    const node = seriesNode({ series: { valueType: TYPES.TEXT } });
    const records = recordSet(TYPES.TEXT, [{ timeMs: T0, text }]);
    const table = atOnce(columnTable([{ records, view: viewOf(node, options) }]));
    expect([...csvText(table, options.csv, options.zone.formatIso, true)].join('')).toContain(`,"'${text}"`);
  });

  test('with all of it, qualities and annotations in columns, our reader finds the same numbers', async () => {
    const given = {
      byteOrderMark: 'TRUE',
      decimalSeparator: ',',
      quality: 'SEPARATE_VALUE',
      annotation: 'SEPARATE_VALUE',
    };
    const { rows } = await readBack(textOf(given));
    expect(rows).toHaveLength(4);
    expect(JSON.stringify(rows[0])).toContain('12345678.25');
  });
});
