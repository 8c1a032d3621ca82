import { arcPath, shareOf } from './gauge-arc.ts';

test.each([
  ['in the middle', 50, 0, 100, 0.5],
  ['below its scale', -5, 0, 100, 0],
  ['above its scale', 150, 0, 100, 1],
  ['on a scale below zero', -15, -20, -10, 0.5],
  ['on a scale without width', 5, 5, 5, 0],
])('a value %s', (_what, value, minimum, maximum, expected) => {
  expect(shareOf(value, minimum, maximum)).toBe(expected);
});

test.each([
  ['HALF', 0.5, 'M14.00 100.00A86 86 0 0 1 100.00 14.00'],
  ['HALF', 1, 'M14.00 100.00A86 86 0 0 1 186.00 100.00'],
  ['FULL', 1, 'M39.19 158.81A86 86 0 1 1 160.81 158.81'],
] as const)('the ring of %s at %d', (shape, share, expected) => {
  expect(arcPath(shape, share)).toBe(expected);
});
