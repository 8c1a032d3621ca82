import { arrange } from './arrange.ts';

const place = ([x, y, w, h]: readonly number[]) => ({ x: x!, y: y!, w: w!, h: h! });

test.each([
  [
    'tiles beside and below each other stay',
    [
      [0, 0, 6, 2],
      [6, 0, 6, 4],
      [0, 2, 6, 2],
    ],
    [
      [0, 0, 6, 2],
      [6, 0, 6, 4],
      [0, 2, 6, 2],
    ],
  ],
  [
    'a tile on another one moves below it',
    [
      [0, 0, 6, 2],
      [3, 1, 6, 2],
    ],
    [
      [0, 0, 6, 2],
      [3, 2, 6, 2],
    ],
  ],
  [
    'and below all that are in its way',
    [
      [0, 0, 12, 1],
      [0, 1, 12, 1],
      [0, 0, 12, 1],
    ],
    [
      [0, 0, 12, 1],
      [0, 1, 12, 1],
      [0, 2, 12, 1],
    ],
  ],
  [
    'a tile beyond the columns moves in',
    [
      [11, 0, 6, 1],
      [-3, 1, 99, 1],
    ],
    [
      [6, 0, 6, 1],
      [0, 1, 12, 1],
    ],
  ],
  [
    'a few empty rows are space',
    [
      [0, 0, 3, 1],
      [0, 3, 3, 1],
    ],
    [
      [0, 0, 3, 1],
      [0, 3, 3, 1],
    ],
  ],
  [
    'many are not',
    [
      [0, 0, 3, 1],
      [0, 900, 3, 1],
      [3, 900, 3, 1],
      [0, 990, 3, 1],
    ],
    [
      [0, 0, 3, 1],
      [0, 3, 3, 1],
      [3, 3, 3, 1],
      [0, 6, 3, 1],
    ],
  ],
  ['space above everything is none', [[0, 40, 3, 1]], [[0, 0, 3, 1]]],
  ['nothing is nothing', [], []],
])('%s', (_what, tiles, expected) => {
  expect(arrange(tiles.map(place))).toEqual(expected.map(place));
});
