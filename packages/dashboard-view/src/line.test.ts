import { gapMsOf } from './gap.ts';
import { drawable, type LineType, lineOf, visibleValues } from './line.ts';

const NONE = Number.NaN;
const WINDOW = { startMs: 100, endMs: 200 };
const points = (times: readonly number[], values: readonly number[], lineType: LineType = 'NORMAL', gapMs?: number) =>
  lineOf({ times, values }, WINDOW, lineType, gapMs);

test('every record is a vertex, also one without value, and so are near bounding records', () => {
  expect(points([90, 100, 150, 200, 230], [1, 2, NONE, 4, 5])).toEqual([
    { t: 90, v: 1 },
    { t: 100, v: 2 },
    { t: 150, v: NONE },
    { t: 200, v: 4 },
    { t: 230, v: 5 },
  ]);
});

test.each([
  ['NORMAL', { t: 0, v: 9 }],
  ['SPLINE', { t: 0, v: 9 }],
  ['STEP_LEFT', { t: 0, v: -140 }],
  ['STEP_RIGHT', { t: 0, v: -140 }],
  ['STEP_CENTER', { t: 0, v: 10 }],
] as const)('a bounding record very far outside moves nearer on its %s line', (lineType, expected) => {
  const [first, second] = points([-14_900, 100], [-140, 10], lineType);
  expect(first?.t).toBe(expected.t);
  expect(first?.v).toBeCloseTo(expected.v, 9);
  expect(second).toEqual({ t: 100, v: 10 });
});

test.each([
  [
    'NORMAL',
    [
      { t: 0, v: 5 },
      { t: 300, v: 5.03 },
    ],
  ],
  [
    'STEP_LEFT',
    [
      { t: 0, v: 0 },
      { t: 300, v: 10.05 },
    ],
  ],
  [
    'STEP_CENTER',
    [
      { t: 50, v: 0 },
      { t: 250, v: 10.05 },
    ],
  ],
] as const)(
  'without a record inside, the %s line between the bounding ones crosses the picture',
  (lineType, expected) => {
    const line = points([-50_000, 50_300], [0, 10.05], lineType);
    line.forEach((point, index) => {
      expect(point.t).toBeCloseTo(expected[index]?.t ?? NONE, 6);
      expect(point.v).toBeCloseTo(expected[index]?.v ?? NONE, 1);
    });
  },
);

test.each([
  ['NORMAL', [50, 150, 175, 225], [20, 30]],
  ['STEP_LEFT', [50, 150, 175, 225], [20, 30]],
  ['NORMAL', [50, 250, 275, 300], [5, 15]],
  ['STEP_LEFT', [50, 250, 275, 300], [0]],
  ['STEP_RIGHT', [50, 250, 275, 300], [20]],
  ['STEP_CENTER', [50, 250, 275, 300], [0, 20]],
  ['NORMAL', [10, 20, 30, 40], []],
] as const)(
  'the axis of a %s line with records at %j sees %j: neighbours count only where nothing is inside',
  (lineType, times, expected) => {
    const [before, ...after] = times.map((t, i) => ({ t, v: [0, 20, 30, 20][i]! }));
    const near =
      times[3] > 100 ? [before!, ...after.slice(0, after.findIndex(({ t }) => t > 200) + 1)] : [after.at(-1)!];
    const line = points(
      near.map(({ t }) => t),
      near.map(({ v }) => v),
      lineType,
    );
    expect(visibleValues(line, WINDOW, lineType)).toEqual(expected);
  },
);

test.each([
  [
    'NORMAL',
    [
      { t: 110, v: 1 },
      { t: 145, v: NONE },
      { t: 180, v: 2 },
    ],
  ],
  [
    'SPLINE',
    [
      { t: 110, v: 1 },
      { t: 145, v: NONE },
      { t: 180, v: 2 },
    ],
  ],
  [
    'STEP_LEFT',
    [
      { t: 110, v: 1 },
      { t: 140, v: 1, isHold: true },
      { t: 145, v: NONE },
      { t: 180, v: 2 },
    ],
  ],
  [
    'STEP_RIGHT',
    [
      { t: 110, v: 1 },
      { t: 145, v: NONE },
      { t: 150, v: 2, isHold: true },
      { t: 180, v: 2 },
    ],
  ],
] as const)('a %s line breaks at an outage; steps hold for as long as they may', (lineType, expected) => {
  expect(points([110, 180], [1, 2], lineType, 30)).toEqual(expected);
});

test('a step in the middle holds to the middle at most', () => {
  expect(points([110, 180], [1, 2], 'STEP_CENTER', 60).map(({ t }) => t)).toEqual([110, 145, 145, 145, 180]);
});

test.each([
  ['the one before', [0, 150, 160], [150, 160]],
  ['the one after', [150, 160, 300], [150, 160]],
  ['both, with nothing inside', [0, 300], []],
  ['none that is near enough', [90, 120, 150, 180, 205], [90, 120, 150, 180, 205]],
] as const)('neighbours behind an outage are not drawn: %s', (_what, times, expected) => {
  expect(
    points(
      times,
      times.map(() => 5),
      'NORMAL',
      30,
    ).map(({ t }) => t),
  ).toEqual(expected);
});

const every = (count: number, ms: number) => Array.from({ length: count }, (_, i) => i * ms);
test.each([
  ['as expected, whatever comes', 60, every(200, 1_000), 180_000],
  ['the median step', null, every(50, 600_000), 1_800_000],
  ['the median of an even number of steps', null, [...every(6, 10), 70, 90, 110, 130, 150], 45],
  ['the last hundred steps only', null, [...every(500, 1_000), ...every(101, 60_000).map((t) => t + 1e6)], 180_000],
  ['any step of nine records', null, every(9, 1_000), Infinity],
  ['ten records suffice', undefined, every(10, 1_000), 3_000],
] as const)('the longest step that is drawn: %s', (_what, expectedSeconds, times, expected) => {
  expect(gapMsOf(expectedSeconds, times)).toBe(expected);
});

test('values at the ends of the range of numbers stay finite', () => {
  const line = points([-10_000, 150], [-1.7e308, 1.7e308]);
  expect(line.map(({ v }) => Number.isFinite(v))).toEqual([true, true]);
  expect(line[1]?.v).toBe(8e307);
});

test('the tiniest values of all lie on zero: their axis would have steps that are no numbers', () => {
  expect([5e-324, -1e-301, 1e-299, 0, -0.5].map(drawable)).toEqual([0, 0, 1e-299, 0, -0.5]);
  expect(drawable(Number.NaN)).toBeNaN();
});
