import { directionOf, straight, turning } from './direction.ts';

test.each([
  [0, 0],
  [-0, 0],
  [360, 0],
  [-90, 270],
  [725, 5],
  [-1e-20, 0],
])('the direction of %s degrees is %s', (degrees, expected) => {
  expect(directionOf(degrees)).toBe(expected);
});

test.each([
  ['across north', 350, 10, 0.5, 0],
  ['back across north', 10, 350, 0.25, 5],
  ['the shorter way', 80, 280, 0.5, 0],
  ['the straight way', 80, 120, 0.5, 100],
  ['clockwise where both are as long', 0, 180, 0.5, 90],
  ['clockwise from the other end too', 180, 0, 0.5, 270],
  ['of numbers beyond a circle', -10, 730, 0.5, 0],
])('a direction turns %s', (_what, from, to, share, expected) => {
  expect(turning(from, to, share)).toBe(expected);
});

test('between numbers next to the ends of their range is a number', () => {
  expect(straight(-1.7e308, 1.7e308, 0.5)).toBe(0);
  expect(straight(1, 3, 0.25)).toBe(1.5);
});
