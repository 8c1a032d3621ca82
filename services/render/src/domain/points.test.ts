import { lonelyPoints, thinPoints } from './points.ts';

const NONE = Number.NaN;

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
  const line = [1, NONE, 2, NONE, 3, 4].map((v, i) => ({ t: 100 + 10 * i, v }));
  expect(lonelyPoints(line).map(({ v }) => v)).toEqual([1, 2]);
});
