import type { RatingEntry } from '@catchment/contracts/ratings';
import { referenceRows } from '@catchment/testkit';
import { rate } from './rating.ts';

const table = (startMs: number, ...rows: (readonly [number, number])[]): RatingEntry => ({
  startMs,
  kind: { $case: 'table', value: { inputs: rows.map(([x]) => x), results: rows.map(([, r]) => r) } },
});
const polynomial = (startMs: number, ...coefficients: number[]): RatingEntry => ({
  startMs,
  kind: { $case: 'polynomial', value: { coefficients } },
});
const record = (value: number | undefined, timeMs = 0, quality?: number) => ({ timeMs, value, quality });
const EXAMPLE = [table(0, [0.1, 9.8], [0.5, 40], [1.2, 120])];

test.each([
  [0.1, 9.8],
  [0.3, 24.9],
  [0.5, 40],
  [1.2, 120],
])('the example in docs/reference/processing-and-ratings.md#ratings: %d in the table gives %d', (x, expected) => {
  expect(rate(EXAMPLE, record(x))?.value).toBeCloseTo(expected, 12);
});

test.each([0.05, 0.0999999, 1.2000001, -1, Number.MAX_VALUE])('%d outside the table has no value, quality 155', (x) => {
  expect(rate(EXAMPLE, record(x, 0, 7))).toEqual({ value: undefined, quality: 155 });
});

test('the example in docs/reference/processing-and-ratings.md#ratings: the polynomial at 2 gives 56.24', () => {
  const rating = [polynomial(0, 1.1, 2.5, 1.115, 4.01, 0.85)];
  expect(rate(rating, record(2))?.value).toBeCloseTo(56.24, 12);
});

test('an equation without a finite result has no value, quality 155', () => {
  const rating = [polynomial(0, 0, 0, 1)];
  expect(rate(rating, record(1e200))).toEqual({ value: undefined, quality: 155 });
});

test.each([
  ['before the first rating there is no record', 99, undefined],
  ['the first rating begins at its startTime', 100, 1],
  ['and ends before the next one', 199, 1],
  ['the next one begins', 200, 2],
  ['the last one is open', 1e12, 2],
])('%s', (_what, timeMs, expected) => {
  const rating = [polynomial(100, 1), polynomial(200, 2)];
  expect(rate(rating, record(5, timeMs))?.value).toBe(expected);
});

test.each([
  ['the quality of the input is kept', record(0.5, 0, 192), { value: 40, quality: 192 }],
  ['none stays none', record(0.5), { value: 40, quality: undefined }],
  ['a record without value keeps its quality', record(undefined, 0, 158), { value: undefined, quality: 158 }],
  ['a bare annotation gives no record', record(undefined), undefined],
])('%s', (_what, input, expected) => {
  expect(rate(EXAMPLE, input)).toEqual(expected);
});

test('a rating without entries gives nothing; a table of one row knows its own input only', () => {
  expect(rate([], record(1))).toBeUndefined();
  const single = [table(0, [1, 5])];
  expect([rate(single, record(1))?.value, rate(single, record(1.1))?.quality]).toEqual([5, 155]);
});

test.each(referenceRows('processing-and-ratings.md', '| input | result |'))(
  'the table of the reference: %s is %s',
  (input, result) => {
    const rated = rate(EXAMPLE, record(Number(input)));
    expect(rated?.value?.toPrecision(3) ?? '–').toBe(result === '–' ? result : Number(result).toPrecision(3));
  },
);
