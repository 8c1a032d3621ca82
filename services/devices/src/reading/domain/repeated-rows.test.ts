import { RepeatedRows, repeatedRows } from './repeated-rows.ts';

type Row = readonly [timeMs: number, series: readonly number[]];

async function countOf(rows: readonly Row[]) {
  const counted = new RepeatedRows();
  for (const [timeMs, series] of rows) counted.add(timeMs, series);
  let reads = 0;
  const count = await repeatedRows(counted, async function* () {
    reads += 1;
    for (const [timeMs, series] of rows) yield { timeMs, series };
  });
  return [count, reads];
}

test.each<[string, readonly Row[], number, number]>([
  [
    'times that go on',
    [
      [1, [0]],
      [2, [0]],
      [3, [0]],
    ],
    0,
    0,
  ],
  [
    'times that go back',
    [
      [3, [0, 1]],
      [2, [0, 1]],
      [1, [0]],
    ],
    0,
    0,
  ],
  [
    'a doubled line',
    [
      [1, [0, 1]],
      [1, [0, 1]],
      [2, [0, 1]],
    ],
    1,
    0,
  ],
  [
    'rows of several series',
    [
      [1, [0]],
      [1, [1]],
      [2, [0]],
      [2, [1]],
    ],
    0,
    0,
  ],
  [
    'a row that shares one series with another',
    [
      [1, [0, 1]],
      [1, [1, 2]],
    ],
    1,
    0,
  ],
  [
    'a day that comes twice',
    [
      [1, [0]],
      [2, [0]],
      [3, [0]],
      [1, [0]],
      [2, [0]],
      [3, [0]],
    ],
    3,
    1,
  ],
  [
    'rows out of order',
    [
      [1, [0]],
      [4, [0]],
      [2, [0]],
      [3, [0]],
    ],
    0,
    1,
  ],
  [
    'series one after the other',
    [
      [1, [0]],
      [2, [0]],
      [1, [1]],
      [2, [1]],
    ],
    0,
    0,
  ],
])('%s', async (_what, rows, count, reads) => {
  expect(await countOf(rows)).toEqual([count, reads]);
});
