import { aligned, scalesOf, summaryOf, valueAt } from './chart-data.ts';

test('series of different instants keep their gaps, and only those', () => {
  const data = {
    start: 0,
    end: 5,
    series: [
      { times: [1, 3, 5], values: [10, null, 30] },
      { times: [2, 3, 4], values: [1, 2, 3] },
    ],
  };
  const [times, one, other] = aligned(data);
  expect(times).toEqual([1, 2, 3, 4, 5]);
  // 10 and 30 are apart; 1, 2, 3 are a line although the first series has other instants.
  expect([one![0], one![2], one![4]]).toEqual([10, null, 30]);
  expect([other![1], other![2], other![3]]).toEqual([1, 2, 3]);
  expect(other![0]).toBeUndefined();
  expect(aligned({ start: 0, end: 1, series: [] })).toEqual([[]]);
});

test.each([
  ['with gaps at its ends', [null, 2, -1, null], { minimum: -1, maximum: 2, last: -1, lastMs: 30 }],
  ['of one value', [7], { minimum: 7, maximum: 7, last: 7, lastMs: 10 }],
  ['of gaps', [null, null], undefined],
  ['that is empty', [], undefined],
])('the summary of a series %s', (_what, values, expected) => {
  expect(summaryOf({ times: values.map((_, i) => (i + 1) * 10), values })).toEqual(expected);
});

test.each([
  ['before the first', 5, undefined],
  ['at a record', 10, 1],
  ['between records', 15, 1],
  ['in a gap', 25, undefined],
  ['after the last', 99, 3],
])('the value %s', (_what, ms, expected) => {
  expect(valueAt({ times: [10, 20, 30], values: [1, null, 3] }, ms)).toBe(expected);
});

test('series of the same units share a scale', () => {
  const one = { name: '', color: '#000000', type: 'LINE', fill: false, decimals: 0 } as const;
  expect(
    scalesOf([
      { ...one, units: 'm' },
      { ...one, units: '°C' },
      { ...one, units: 'm' },
    ]),
  ).toEqual(['m', '°C']);
});
