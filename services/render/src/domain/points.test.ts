import { linePoints, lonelyPoints, type Point, thinPoints, visibleValues } from './points.ts';

const NONE = Number.NaN;
const points = (times: number[], values: number[], lineType: Parameters<typeof linePoints>[4] = 'NORMAL'): Point[] =>
  linePoints(Float64Array.from(times), Float64Array.from(values), 100, 200, lineType);

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
  expect(first).toEqual(expected);
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
  ['NORMAL', [10, 20, 30, 25]],
  ['STEP_LEFT', [0, 20, 30, 30]],
  ['STEP_RIGHT', [20, 20, 30, 20]],
] as const)('the value axis sees where a %s line meets the edges', (lineType, expected) => {
  const line = points([50, 150, 175, 225], [0, 20, 30, 20], lineType);
  expect(visibleValues(line, 100, 200, lineType)).toEqual(expected);
});

test('a picture keeps first, lowest, highest and last of each pixel column, and every gap', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({
    t: 100 + i / 100,
    v: i === 5_050 ? 99 : i === 5_060 ? -99 : i >= 7_000 && i < 8_000 ? NONE : 0,
  }));
  const few = thinPoints(many, 100, 200, 10);
  expect(few.length).toBeLessThan(45);
  expect(few).toEqual(expect.arrayContaining([many[0], many[5_050], many[5_060], many.at(-1)]));
  expect(few.filter(({ v }) => Number.isNaN(v))).toHaveLength(1);
  expect(few.map(({ t }) => t)).toEqual(few.map(({ t }) => t).toSorted((a, b) => a - b));
});

test('points between gaps stand alone', () => {
  const line = points([100, 110, 120, 130, 140, 150], [1, NONE, 2, NONE, 3, 4]);
  expect(lonelyPoints(line).map(({ v }) => v)).toEqual([1, 2]);
});
