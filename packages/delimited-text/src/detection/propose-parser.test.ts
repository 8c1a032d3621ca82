import { UTC_ZONE } from '@catchment/time';
import type { ParserSettings } from '../records/layout.ts';
import { openText } from '../records/open-text.ts';
import { proposeParser } from './propose-parser.ts';

async function* once(text: string) {
  yield Buffer.from(text);
}

async function readBy(text: string, settings: ParserSettings) {
  const opened = await openText(once(text), { zone: UTC_ZONE, nowMs: 0, settings });
  const rows: unknown[] = [];
  for await (const { timeMs, cells } of opened.records())
    rows.push([new Date(timeMs).toISOString().slice(0, 16), ...cells.map((cell) => cell?.value)]);
  return {
    keys: opened.series.map(({ key, type, units }) => `${key} ${type} ${units}`.trim()),
    rows,
    report: opened.report,
  };
}
const proposed = async (text: string) => {
  const proposal = await proposeParser(once(text));
  return { ...proposal, ...(await readBy(text, proposal.parser)) };
};

const TOA5 = `"TOA5","S","CR1000","1","std","CPU","1","T"
"TIMESTAMP","RECORD","Air_Avg","Note"
"TS","RN","Deg C",""
"","","Avg","Smp"
"2016-08-01 00:00:00",7,4.2,"GT01"
`;

test('TOA5: times, names and units; the counter of records is left out', async () => {
  const { parser, layout, keys, rows, why } = await proposed(TOA5);
  expect([layout, why]).toEqual(['TOA5', 'The file begins with TOA5, as those of Campbell loggers do.']);
  expect(parser).toMatchObject({ delimiter: ',', labelsRow: 2, unitsRow: 3, dataRow: 5 });
  expect(parser.columns?.map(({ type }) => type)).toEqual(['RECORD_TIME', 'DISABLED', 'NUMBER', 'TEXT']);
  expect([keys, rows]).toEqual([['Air_Avg NUMBER Deg C', 'Note TEXT'], [['2016-08-01T00:00', 4.2, 'GT01']]]);
});

test('USGS RDB', async () => {
  const text = '# USGS\nagency_cd\tsite_no\tdt\tva\n5s\t15s\t10d\t8n\nUSGS\t1\t2001-06-08\t5130\n';
  const { parser, layout, keys, rows } = await proposed(text);
  expect([layout, parser.delimiter, parser.labelsRow, parser.dataRow]).toEqual(['USGS RDB', 'TAB', 2, 4]);
  expect([keys, rows]).toEqual([['va NUMBER'], [['2001-06-08T00:00', 5130]]]);
});

test('delimited text below lines that are no names: data begin where times do', async () => {
  const text = 'Station;Mill\n\nday;flow;flow\n;m3/s;m3/s\nmade by hand;;\n13.01.2024;1,5;2\n14.01.2024;1,6;3\n';
  const { parser, layout, keys, rows, report } = await proposed(text);
  expect(layout).toBe('CSV');
  expect(parser).toMatchObject({ delimiter: 'SEMICOLON', decimalSeparator: ',', dataRow: 6 });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
  expect([rows.length, report.failed]).toEqual([2, 0]);
});

test('of a time that may begin with its day or its month the day is assumed, and reported', async () => {
  const { why, rows } = await proposed('t,a\n01/02/2024,1\n03/04/2024,2\n');
  expect(why).toContain("Column 1: '01/02/2024' may begin with its day or its month: the day is assumed.");
  expect(rows).toEqual([
    ['2024-02-01T00:00', 1],
    ['2024-04-03T00:00', 2],
  ]);
});

const FIXED = `Date       Time     Level Note
2024-01-01 00:00   101.00 calm
2024-01-01 00:10    10.25
2024-01-01 00:20          gusts of wind
2024-01-01 00:30   -11.00 calm
2024-01-01 00:40     9.50 calm
`;

test('columns that are aligned by blanks are cut by their widths, so that cells may be empty and have blanks', async () => {
  const { parser, layout, keys, rows } = await proposed(FIXED);
  expect(layout).toBe('FIXED');
  expect(parser.columnWidths).toHaveLength(4);
  expect(parser).not.toHaveProperty('delimiter');
  expect(keys).toEqual(['Level NUMBER', 'Note TEXT']);
  expect(rows).toEqual([
    ['2024-01-01T00:00', 101, 'calm'],
    ['2024-01-01T00:10', 10.25, undefined],
    ['2024-01-01T00:20', undefined, 'gusts of wind'],
    ['2024-01-01T00:30', -11, 'calm'],
    ['2024-01-01T00:40', 9.5, 'calm'],
  ]);
  const longer = '2024-01-02 00:00 12345.00 calm\n';
  expect((await readBy(FIXED + longer, parser)).rows.at(-1)).toEqual(['2024-01-02T00:00', 12345, 'calm']);
});

test('fields of one length are parted by blanks: nothing says that they are aligned', async () => {
  const text = '2024-01-01 00:00 9.5 1\n2024-01-01 00:10 8.5 2\n2024-01-01 00:20 7.5 3\n2024-01-01 00:30 6.5 4\n';
  const { parser, rows } = await proposed(text);
  expect(parser).toMatchObject({ delimiter: 'SPACE' });
  expect((await readBy(`${text}2024-01-01 00:40 123.5 5\n`, parser)).rows.at(-1)).toEqual([
    '2024-01-01T00:40',
    123.5,
    5,
  ]);
  expect(rows).toHaveLength(4);
});

test.each([
  ['', 'file: has no lines with data'],
  ['a,b\n1,2\n3,4\n', 'file: has no column with a timestamp'],
  ['"TOA5","S"\n', 'line 2: a TOA5 file'],
])('for %p there is none', async (text, message) => {
  await expect(proposeParser(once(text))).rejects.toThrow(message);
});

test('the zone that the label of the time names is proposed', async () => {
  const hobo =
    '"Plot Title: 20245678"\n"#","Date Time, GMT-07:00","Temp, C"\n1,07/15/23 12:45:00 AM,21.5\n2,07/15/23 01:00:00 PM,21.4\n';
  const { timezone, why, keys, rows } = await proposed(hobo);
  expect(timezone).toBe('Etc/GMT+7');
  expect(why).toContain("The label 'Date Time, GMT-07:00' names the zone.");
  expect(keys).toContain('Temp, C NUMBER C');
  expect(rows.map((row) => (row as string[])[0])).toEqual(['2023-07-15T00:45', '2023-07-15T13:00']);
  expect(await proposed('t,a\n2024-01-01,1\n')).not.toHaveProperty('timezone');
});

test('zones of lines are a join of the proposal', async () => {
  const { parser, rows } = await proposed('datetime,tz_cd,a\n2023-07-05 00:45,EDT,1\n');
  expect(parser.columns?.[0]).toEqual({
    index: 0,
    type: 'RECORD_TIME',
    joins: [
      { column: 0, field: 'TIME' },
      { column: 1, field: 'TIMEZONE' },
    ],
  });
  expect(rows).toEqual([['2023-07-05T04:45', 1]]);
});
