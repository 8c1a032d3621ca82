import { sparkPath } from './spark-path.ts';

const HOUR = 3_600_000;
const WINDOW = { start: 0, end: 4 * HOUR };
const path = (times: readonly number[], values: readonly (number | null)[], gapMs: number | null = null) =>
  sparkPath({ times, values, gapMs }, WINDOW, 40, 20);

test('a line goes from the lowest to the highest value, and what lies outside of the window is left out', () => {
  expect(path([-HOUR, 0, 2 * HOUR, 4 * HOUR], [99, 1, 3, 2])).toBe('M0.0 18.0L20.0 2.0L40.0 10.0');
});

test.each([
  ['a record without a value', [0, HOUR, 2 * HOUR], [1, null, 1], null],
  ['a gap', [0, 2 * HOUR], [1, 1], HOUR],
])('%s is not drawn over', (_what, times, values, gapMs) => {
  expect(path(times, values, gapMs)).toBe('M0.0 18.0M20.0 18.0');
});

test('without records there is no path', () => {
  expect(path([], [])).toBe('');
});
