import type { Records } from './chart-series.ts';
import { commonTimes, measured, processed, readDisplacement, thinned, valuesAt, valuesUntil } from './displacement.ts';

const { NaN: NONE } = Number;
const records = (...rows: readonly (readonly [number, number])[]): Records => ({
  timestamps: Float64Array.from(rows, ([t]) => t),
  values: Float64Array.from(rows, ([, v]) => v),
});
const at = (...times: readonly number[]) => records(...times.map((t) => [t, t] as const));

test.each([
  ['of one series are its own', [at(1, 2)], [1, 2]],
  ['of several are those that all have', [at(1, 2, 3, 5), at(2, 3, 4, 5), at(0, 2, 5, 9)], [2, 5]],
  ['of series that never meet are none', [at(1, 3), at(2, 4)], []],
  ['of an empty series are none', [at(1, 3), at()], []],
  ['of no series are none', [], []],
])('common times %s', (_what, series, expected) => {
  expect(commonTimes(series)).toEqual(expected);
});

test.each([
  [[1, 2, 3], 3, [1, 2, 3]],
  [[1, 2, 3, 4, 5], 3, [1, 3, 5]],
  [[1, 2, 3, 4, 5, 6], 2, [1, 6]],
  [[1, 2, 3], 1, [3]],
  [[], 5, []],
])('%j thinned to %i keeps the first and the last', (all, max, expected) => {
  expect(thinned<number>(all, max)).toEqual(expected);
});

test('a thousand thinned to fifteen are evenly apart', () => {
  const kept = thinned(
    Array.from({ length: 1_000 }, (_, n) => n),
    15,
  );
  const gaps = kept.slice(1).map((n, index) => n - (kept[index] as number));
  expect([kept[0], kept.at(-1), kept.length]).toEqual([0, 999, 15]);
  expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
});

test.each([
  ['RAW', [1, 2, 3], [1, 2, 3]],
  ['SUM_START', [1, 2, 3], [1, 3, 6]],
  ['SUM_END', [1, 2, 3], [6, 5, 3]],
  ['SUM_START', [1, NONE, 3], [1, NONE, NONE]],
  ['SUM_END', [1, NONE, 3], [NONE, NONE, 3]],
  ['SUM_START', [], []],
] as const)('%s of %j', (process, values, expected) => {
  expect([...processed(Float64Array.from(values), process)]).toEqual(expected);
});

test('the baseline is subtracted point by point, then the offset is added; a point without baseline has no value', () => {
  const baseline = Float64Array.of(1, NONE, 3);
  expect([...measured(Float64Array.of(5, 5, 5), baseline, 100)]).toEqual([104, NONE, 102]);
  expect([...measured(Float64Array.of(5, 5), undefined, -1)]).toEqual([4, 4]);
});

test('values are those at the instant; positions stay until there are others; what is missing has neither', () => {
  const series = [records([10, 1], [20, 2]), undefined, records([15, 3])];
  expect([...valuesAt(series, 20)]).toEqual([2, NONE, NONE]);
  expect([...valuesUntil(series, 20)]).toEqual([2, NONE, 3]);
  expect([...valuesUntil(series, 12)]).toEqual([1, NONE, NONE]);
});

const links = ['a', 'b', 'c'].map((nodeId) => ({ nodeId, name: nodeId }));

test.each([
  ['FIXED_INCREMENTAL', { start: 2, increment: -0.5 }, { kind: 'FIXED', positions: [2, 1.5, 1] }],
  ['FIXED_MANUAL', { profileValues: [1, 4, 9] }, { kind: 'FIXED', positions: [1, 4, 9] }],
  ['PARAMETER', { profileLinks: links, profileOffset: 5 }, { kind: 'PARAMETERS', links, offset: 5 }],
])('a profile of type %s', (profileType, given, expected) => {
  expect(readDisplacement({ profileType, measurementLinks: links, ...given }).profile).toEqual(expected);
});

test.each([
  ['depths grow downwards', {}, { y: true, x: false, names: ['Displacement [mm]', 'Depth [m]'] }],
  [
    'measurements grow upwards',
    { orientation: 'HORIZONTAL' },
    { y: false, x: false, names: ['Distance [m]', 'Displacement [mm]'] },
  ],
  [
    'the node’s word holds',
    { yAxis: { inverted: false, name: 'Down' }, xAxis: { inverted: true } },
    { y: false, x: true, names: ['Displacement [mm]', 'Down'] },
  ],
])('axes: %s', (_what, given, expected) => {
  const { xAxis, yAxis } = readDisplacement({ measurementUnits: 'mm', profileUnits: 'm', ...given });
  expect({ y: yAxis.inverted, x: xAxis.inverted, names: [xAxis.name, yAxis.name] }).toEqual(expected);
});
