import { recordSet, TYPES } from '../../../test/series.ts';
import { firstWritten, nextText, placeIn, readPlace } from './modified-page.ts';

/** `[time, moment it was written]` of each record. */
const column = (cells: readonly (readonly [number, number])[]) => ({
  records: recordSet(
    TYPES.NUMBER,
    cells.map(([timeMs]) => ({ timeMs })),
  ),
  modified: cells.map(([, modifiedMs]) => modifiedMs),
});
const COLUMNS = [
  column([
    [1, 90],
    [2, 10],
    [3, 50],
  ]),
  column([
    [2, 95],
    [4, 20],
  ]),
];
const SETTLED = Number.MAX_SAFE_INTEGER;

test.each<[number, number, number[][], [number, number] | undefined, boolean]>([
  [1, SETTLED, [[1], []], [10, 2], true],
  [2, SETTLED, [[1], [1]], [20, 4], true],
  [3, SETTLED, [[1, 2], [1]], [50, 3], true],
  [
    4,
    SETTLED,
    [
      [0, 1, 2],
      [0, 1],
    ],
    [95, 2],
    false,
  ],
  [9, 89, [[1, 2], [1]], [50, 3], true],
  [9, 10, [[1], []], [10, 2], true],
  [9, 9, [[], []], undefined, true],
])('%s rows of what is settled until %s', (limit, settledMs, indexes, last, hasMore) => {
  const place = last && { modifiedMs: last[0], timeMs: last[1] };
  expect(firstWritten(COLUMNS, limit, settledMs)).toMatchObject({ indexes, hasMore, ...(place && { last: place }) });
});

test('records of one write are distinguished by their own times, a row of several columns counts once', () => {
  const columns = [3, 1, 2].map(() => column([1, 2, 3].map((time) => [time, 7] as const)));
  const { indexes, last, hasMore } = firstWritten(columns, 2, SETTLED);
  expect({ indexes, hasMore }).toEqual({ indexes: columns.map(() => [0, 1]), hasMore: true });
  expect(last).toMatchObject({ modifiedMs: 7, timeMs: 2 });
});

test('a place is read from its text, for a read of the same nodes alone', () => {
  for (const place of [
    { modifiedMs: 0, timeMs: -5_364_662_400_001 },
    { modifiedMs: 1_700_000_000_000, timeMs: -1 },
    { modifiedMs: 9_223_286_399_999, timeMs: 9_223_286_399_999 },
  ]) {
    const text = nextText(place, ['a', 'b']);
    expect(text).toMatch(/^[\w-]+$/);
    expect(placeIn(readPlace(text), ['a', 'b'])).toEqual(place);
    expect(() => placeIn(readPlace(text), ['b', 'a'])).toThrow('after: must be header.next');
  }
});

const GOOD = nextText({ modifiedMs: 5, timeMs: 6 }, ['a']);
const madeOf = (text: string) => Buffer.from(text).toString('base64url');
const DIGEST = Buffer.from(GOOD, 'base64url').toString().split(';')[3];
test.each([
  '',
  'x',
  GOOD.slice(1),
  GOOD.slice(0, -1),
  `${GOOD}A`,
  `${GOOD}=`,
  ` ${GOOD}`,
  madeOf(`2;5;6;${DIGEST}`),
  madeOf(`1;05;6;${DIGEST}`),
  madeOf(`1;5;-0;${DIGEST}`),
  madeOf(`1;-5;6;${DIGEST}`),
  madeOf(`1;5;9999999999999999;${DIGEST}`),
  madeOf(`1;9999999999999999;6;${DIGEST}`),
  madeOf(`1;5;6;${DIGEST};7`),
  madeOf('1;5;6;00000000000'),
])('"%s" is no place', (text) => {
  expect(() => readPlace(text)).toThrow('after: must be header.next of an answer to the same request');
});
