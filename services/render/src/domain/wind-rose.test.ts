import type { Records } from './chart-series.ts';
import { ramp } from './ramp.ts';
import { readWindRose, roseOf, sectorOf } from './wind-rose.ts';

const records = (rows: readonly (readonly [number, number])[]): Records => ({
  timestamps: Float64Array.from(rows, ([t]) => t),
  values: Float64Array.from(rows, ([, v]) => v),
});

test.each([
  [0, 0],
  [11.24, 0],
  [11.25, 1],
  [33.74, 1],
  [33.75, 2],
  [180, 8],
  [348.74, 15],
  [348.75, 0],
  [360, 0],
  [-11.25, 0],
  [-11.26, 15],
  [725, 0],
])('a direction of %f degrees lies in sector %i', (degrees, sector) => {
  expect(sectorOf(degrees)).toBe(sector);
});

test('ranges begin with their thresholds, and percentages are of all rows', () => {
  const speed = records([1, 2, 3, 4].map((t, n) => [t, [0.49, 0.5, 2, 99][n] as number]));
  const direction = records([1, 2, 3, 4].map((t) => [t, 90]));
  const { sectors, rows } = roseOf(speed, direction, [0.5, 2]);
  expect(rows).toBe(4);
  expect(sectors[4]).toEqual([25, 25, 50]);
  expect(sectors.flat().reduce((sum, percent) => sum + percent, 0)).toBe(100);
});

test.each([
  [
    'times that only one has',
    [
      [1, 5],
      [3, 5],
    ],
    [
      [2, 90],
      [3, 90],
    ],
    1,
  ],
  [
    'a speed that is none',
    [
      [1, Number.NaN],
      [2, 5],
    ],
    [
      [1, 90],
      [2, 90],
    ],
    1,
  ],
  [
    'a direction that is none',
    [
      [1, 5],
      [2, 5],
    ],
    [
      [1, Number.NaN],
      [2, 90],
    ],
    1,
  ],
  ['no record of one', [[1, 5]], [], 0],
  ['nothing', [], [], 0],
] as const)('%s make no row', (_what, speed, direction, expected) => {
  const { rows, sectors } = roseOf(records(speed), records(direction), [1]);
  expect(rows).toBe(expected);
  expect(sectors).toHaveLength(16);
  expect(sectors.flat().every(Number.isFinite)).toBe(true);
});

test.each([
  [{}, ['< 0.5', '0.5 - 2', '2 - 4', '4 - 6', '6 - 8', '8 - 10', '> 10']],
  [{ speedRanges: [3] }, ['< 3', '> 3']],
  [{ speedRanges: [6, 2] }, ['< 2', '2 - 6', '> 6']],
])('ranges of %j are named', (given, expected) => {
  expect(readWindRose(given).ranges.map(({ name }) => name)).toEqual(expected);
});

test('FIXED colours are taken in turn; AUTOMATIC ones are an ordered ramp', () => {
  const colors = (given: Record<string, unknown>) =>
    readWindRose({ speedRanges: [1, 2], ...given }).ranges.map(({ color }) => color);
  expect(colors({ rangeColors: 'FIXED', colors: ['#111111', '#222222'] })).toEqual(['#111111', '#222222', '#111111']);
  expect(colors({ rangeColors: 'FIXED', colors: ['AUTOMATIC'] })).toEqual(ramp(3));
  expect(colors({ colors: ['#111111'] })).toEqual(ramp(3));
});

test.each([
  ['of exactly nothing', undefined, 25],
  ['below the threshold', 1.5, 50],
])('calms are rows %s: they have no direction, and count as rows', (_what, threshold, expected) => {
  const times = [1, 2, 3, 4];
  const speed = records(times.map((t, n) => [t, [0, 1, 2, 3][n] as number]));
  const direction = records(times.map((t) => [t, 0]));
  const { calms, rows, sectors } = roseOf(speed, direction, [0.5], threshold);
  expect([calms, rows]).toEqual([expected, 4]);
  expect(sectors[0]?.reduce((sum, percent) => sum + percent, 0)).toBe(100 - expected);
});
