import { doubledIn, effectOf, type FormEntry, movedTo, pasted, pointsOf, resultOf, withRowAfter } from './curve.ts';

const TABLE: FormEntry = {
  startTime: '2024-01-01T00:00:00.000Z',
  table: [
    [0.1, 9.8],
    [0.5, 40],
    [1.2, 120],
  ],
};
const POLYNOMIAL: FormEntry = {
  startTime: '2024-06-01T00:00:00.000Z',
  equationType: 'POLYNOMIAL',
  coefficients: { a: 1.1, b: 2.5, c: 1.115, d: 4.01, e: 0.85, f: null },
};

test.each([
  [TABLE, 0.1, 9.8],
  [TABLE, 0.3, 24.9],
  [TABLE, 0.05, Number.NaN],
  [TABLE, 1.3, Number.NaN],
  [POLYNOMIAL, 2, 56.24],
] as const)('an entry is computed as the server does: %j at %s', (entry, x, expected) => {
  const result = resultOf(entry, x);
  if (Number.isNaN(expected)) expect(result).toBeNaN();
  else expect(result).toBeCloseTo(expected, 10);
});

test('a point that is moved stays between its neighbours, whatever their order in the table', () => {
  const rows = [TABLE.table![2]!, TABLE.table![0]!, TABLE.table![1]!];
  expect(movedTo(rows, 2, { input: 5, result: 41 }, 0.01)[2]).toEqual([1.19, 41]);
  expect(movedTo(rows, 2, { input: -5, result: 41 }, 0.01)[2]).toEqual([0.11, 41]);
  expect(movedTo(rows, 0, { input: 9, result: 1 }, 0.01)[0]).toEqual([9, 1]);
  // There is no room between them.
  expect(
    movedTo(
      [
        [1, 1],
        [1.5, 2],
        [2, 3],
      ],
      1,
      { input: 1.9, result: 2 },
      0.6,
    )[1],
  ).toEqual([1.5, 2]);
});

test('a new row lies half-way to the next one, and beyond the last as steep as before', () => {
  expect(withRowAfter(TABLE.table!, 0)).toMatchObject({ index: 1, rows: { 1: [0.3, 24.9] } });
  expect(withRowAfter(TABLE.table!, 2)).toMatchObject({ index: 3, rows: { 3: [1.9, 200] } });
  expect(withRowAfter([], -1)).toEqual({ index: 0, rows: [[null, null]] });
});

test('rows of a sheet are pasted; what is no number stays to be mended', () => {
  const numberOf = (cell: string) => (/^[\d.]+$/.test(cell) ? Number(cell) : undefined);
  expect(pasted('0.1\t9.8\r\n0.5\tforty\n', numberOf)).toEqual([
    [0.1, 9.8],
    [0.5, 'forty'],
  ]);
  expect(pasted('1; 2', numberOf)).toEqual([[1, 2]]);
  expect(pasted('12', numberOf)).toBeUndefined();
});

test('two equal inputs are found, and what is no number is no point', () => {
  expect([
    ...doubledIn([
      [1, 2],
      [0, 1],
      [1, 3],
    ]),
  ]).toEqual([2]);
  expect(
    pointsOf([
      ['x', 1],
      [2, null],
      [1, 1],
    ]),
  ).toEqual([{ input: 1, result: 1, index: 2 }]);
});

test('what a change makes of records is counted, with those that get no value', () => {
  const at = (text: string, value: number) => ({ ms: Date.parse(text), value });
  const records = [
    at('2023-12-31T00:00:00Z', 0.3),
    at('2024-01-02T00:00:00Z', 0.3),
    at('2024-01-03T00:00:00Z', 0.5),
    at('2024-01-04T00:00:00Z', 9),
  ];
  const typed = {
    ...TABLE,
    table: [
      [0.1, 9.8],
      [0.5, 50],
      [1.2, 120],
    ],
  } as FormEntry;
  expect(effectOf(records, [TABLE], [typed])).toEqual({
    before: [undefined, expect.closeTo(24.9), 40, undefined],
    after: [undefined, expect.closeTo(29.9), 50, undefined],
    changed: 2,
    most: 10,
    without: 2,
  });
});
