import { decimalsOf, numberText } from './values.ts';

test.each([
  ['0.###', 3],
  ['#.00', 2],
  ['0', 0],
  ["0.0' m.'", 1],
  ['', null],
  [null, null],
  ['0.00E0', null],
])('the format %j has %s decimals at most', (format, expected) => {
  expect(decimalsOf(format)).toBe(expected);
});

test.each([
  [1.72, '0.###', '1.72'],
  [1.7204999, '0.###', '1.72'],
  [2, '0.000', '2.000'],
  [2, '0.0##', '2.0'],
  [0.5, '0%', '50%'],
  [1234.5678, '', '1234.5678'],
  [-0.0001, '0.##', '-0'],
])('%d as %j is %s', (value, format, expected) => {
  expect(numberText(value, format)).toBe(expected);
});
