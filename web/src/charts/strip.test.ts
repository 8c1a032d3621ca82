import { dragged, gripOf, strokesOf } from './strip-line.ts';

test('a strip has the lowest and highest of each column, and nothing where nothing was recorded', () => {
  const line = { times: [0, 10, 12, 90, 200], values: [0, 10, 4, null, 99], gapMs: null };
  expect(strokesOf(line, { start: 0, end: 100 }, 10)).toEqual([
    { low: 0, high: 0 },
    { low: 0.4, high: 1 },
    ...Array.from({ length: 8 }),
  ]);
  expect(strokesOf({ times: [100], values: [5], gapMs: null }, { start: 0, end: 100 }, 4)[3]).toEqual({
    low: 0,
    high: 0,
  });
});

const WINDOW = { start: 100, end: 200 };
test.each([
  [98, 'start'],
  [203, 'end'],
  [150, 'all'],
  [300, 'new'],
])('at %d a pointer takes hold of %s', (ms, expected) => {
  expect(gripOf(ms, WINDOW, 5)).toBe(expected);
});

test('a window too narrow for edges is moved as a whole', () => {
  expect(gripOf(100, { start: 100, end: 110 }, 5)).toBe('all');
});

test.each([
  ['all', 150, 170, { start: 120, end: 220 }],
  ['start', 100, 150, { start: 150, end: 200 }],
  ['start', 100, 400, { start: 199, end: 200 }],
  ['end', 200, 50, { start: 100, end: 101 }],
  ['new', 300, 300, { start: 250, end: 350 }],
] as const)('%s drawn from %d to %d', (grip, from, to, expected) => {
  expect(dragged(grip, WINDOW, from, to)).toEqual(expected);
});
