import { dragged, gripOf } from './strip-line.ts';

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
