import { openText, type ParserSettings, proposeParser } from '@catchment/delimited-text';
import { UTC_ZONE } from '@catchment/time';
import { withRowSeries } from './propose-rows.ts';

async function* once(text: string) {
  yield Buffer.from(text);
}
const at = (hour: number) => `2024-05-23 ${10 + hour}:00`;

/** Keys and values that the proposal for a file reads. */
async function proposed(...lines: string[]) {
  const text = `${lines.join('\n')}\n`;
  const open = (settings: ParserSettings) => openText(once(text), { settings, zone: UTC_ZONE, nowMs: 0 });
  const { parser, why } = await withRowSeries(await proposeParser(once(text)), open);
  const opened = await open(parser);
  const read: Record<string, unknown[]> = {};
  for await (const { cells } of opened.records())
    cells.forEach((cell, n) => {
      const key = opened.series[n]?.key ?? '';
      if (cell) read[key] = [...(read[key] ?? []), cell.value];
    });
  return { format: parser.format, read, why };
}

test.each<[string, string[], Record<string, unknown[]>]>([
  [
    'loggers with several values',
    ['device,time,temp,hum', ...[0, 1].flatMap((n) => [`A1,${at(n)},${n},7${n}`, `B2,${at(n)},3${n},5${n}`])],
    { 'A1 temp': [0, 1], 'A1 hum': [70, 71], 'B2 temp': [30, 31], 'B2 hum': [50, 51] },
  ],
  [
    'ids that are numbers with leading zeros',
    ['time,sensor_id,temp,hum', ...[0, 1].flatMap((n) => [`${at(n)},007,${n},7${n}`, `${at(n)},012,3${n},5${n}`])],
    { '007 temp': [0, 1], '007 hum': [70, 71], '012 temp': [30, 31], '012 hum': [50, 51] },
  ],
  [
    'output arrays of several widths',
    ['101,2024,144,1000,12.5,1.5', '101,2024,144,1100,12.6,1.6', '124,2024,144,1100,7', '101,2024,144,1200,12.7,1.7'],
    { '101 Column 5': [12.5, 12.6, 12.7], '101 Column 6': [1.5, 1.6, 1.7], '124 Column 5': [7] },
  ],
  [
    'output arrays of one width and one time',
    [0, 1].flatMap((n) => [`1,2024,144,${1000 + n * 100},1${n}`, `2,2024,144,${1000 + n * 100},2${n}`]),
    { '1 Column 5': [10, 11], '2 Column 5': [20, 21] },
  ],
])('%s have series of their own, by a filter', async (_what, lines, expected) => {
  const { read, why } = await proposed(...lines);
  expect(read).toEqual(expected);
  expect(why).toContain('tells apart');
});

test.each<[string, string[], Record<string, unknown[]>]>([
  [
    'each row has a time of its own, and its series has a name',
    [
      'entity_id,state,last_changed',
      'a.t,1,2024-05-23T10:00:00Z',
      'b.t,2,2024-05-23T10:00:01Z',
      'a.t,3,2024-05-23T10:01:00Z',
      'b.t,4,2024-05-23T10:01:01Z',
    ],
    { 'a.t': [1, 3], 'b.t': [2, 4] },
  ],
])('the format ROW is proposed where %s', async (_what, lines, expected) => {
  const { read, format } = await proposed(...lines);
  expect([format, read]).toEqual(['ROW', expected]);
});

test('a number that changes is no id, and other columns stay series', async () => {
  const { read } = await proposed('time,level,flag', ...[0, 1, 2].map((n) => `${at(0)},${n},${n % 2}`));
  expect(Object.keys(read)).toEqual(['level', 'flag']);
});
