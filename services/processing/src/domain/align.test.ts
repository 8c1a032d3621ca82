import { turning } from '@catchment/equation';
import { aligned, asBooleans } from './align.ts';

const RECORDS = { times: [10, 20, 40], values: [1, 3, 7], qualities: [undefined, 5, undefined] };

test.each([
  ['INTERPOLATED', [undefined, 1, 2, 3, 5, 7, 7], [undefined, 10, 15, 20, 30, 40, 40]],
  ['RETAIN', [undefined, 1, 1, 3, 3, 7, 7], [undefined, 10, 10, 20, 20, 40, 40]],
] as const)('%s', (mode, values, times) => {
  const column = aligned(RECORDS, [5, 10, 15, 20, 30, 40, 50], mode);
  expect(column).toEqual({ values, times, qualities: [undefined, undefined, undefined, 5, 5, undefined, undefined] });
});

test('directions turn by the shorter way round', () => {
  const directions = { times: [0, 10], values: [350, 20], qualities: [undefined, undefined] };
  expect(aligned(directions, [5, 10], 'INTERPOLATED', turning).values).toEqual([5, 20]);
});

test('texts and places have the last record', () => {
  const texts = { times: [10, 20], values: ['a', 'b'], qualities: [undefined, undefined] };
  expect(aligned(texts, [15], 'INTERPOLATED').values).toEqual(['a']);
  const places = { times: [10, 20], values: [[1, 2] as const, [3, 4] as const], qualities: [undefined, undefined] };
  expect(aligned(places, [15], 'INTERPOLATED').values).toEqual([[1, 2]]);
});

test('numbers as TRUE and FALSE', () => {
  const column = { values: [0, 2, undefined], times: [1, 2, undefined], qualities: [] };
  expect(asBooleans(column).values).toEqual([false, true, undefined]);
});
