import { chart, HOUR, START, series } from '../../test/builders.ts';
import { arrangeColumns, shapeOf } from './series-shape.ts';

const arranged = (groupType: string, all: readonly (readonly number[])[], axes: readonly number[] = []) => {
  const drawn = all.map((values, index) =>
    series(values, { chart: { type: 'ColumnChart', groupType }, axis: axes[index] ?? 0 }),
  );
  const shapes = drawn.map((line) => shapeOf(line, chart([]), undefined));
  return arrangeColumns(drawn, shapes).map((shape) => (shape.kind === 'COLUMN' ? shape : { bars: [], visible: [] }));
};

test('columns that stand on each other begin where the ones below end, values below zero downwards', () => {
  const [first, second, third] = arranged('STACKED', [
    [1, -1],
    [2, -2],
    [3, 4],
  ]);
  expect([first, second, third].map((shape) => shape?.bars.map(({ base, v }) => [base, v]))).toEqual([
    [
      [0, 1],
      [0, -1],
    ],
    [
      [1, 3],
      [-1, -3],
    ],
    [
      [3, 6],
      [0, 4],
    ],
  ]);
  expect(Math.max(...(third?.visible ?? []))).toBe(6);
});

test('a gap leaves the columns above it where they are', () => {
  const [, second] = arranged('STACKED', [
    [Number.NaN, 1],
    [2, 2],
  ]);
  expect(second?.bars.map(({ base }) => base)).toEqual([0, 1]);
});

test('columns of different axes do not stand on each other', () => {
  const [, second] = arranged('STACKED', [[5], [2]], [0, 1]);
  expect(second?.bars.map(({ base, v }) => [base, v])).toEqual([[0, 2]]);
});

test('columns of a group share the place of one', () => {
  const [[alone], [first, second]] = [
    arranged('NORMAL', [[1, 2]]),
    arranged('GROUP', [
      [1, 2],
      [3, 4],
    ]),
  ];
  const [whole, left, right] = [alone?.bars[0], first?.bars[0], second?.bars[0]];
  expect(left?.from).toBe(whole?.from);
  expect(left?.to).toBe(right?.from);
  expect(right?.to).toBe(whole?.to);
});

test('columns that only overlap keep their places and stand on zero', () => {
  const [first, second] = arranged('NORMAL', [
    [1, 2],
    [3, 4],
  ]);
  expect(first?.bars.map(({ from }) => from)).toEqual(second?.bars.map(({ from }) => from));
  expect(second?.bars.map(({ t, base }) => [t, base])).toEqual([
    [START, 0],
    [START + HOUR, 0],
  ]);
});
