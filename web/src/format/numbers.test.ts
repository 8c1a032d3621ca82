import { changeText, decimalText, differenceText, markText, withUnits } from './numbers.ts';

test.each([
  [1.005, 2, '1.01'],
  [-0.4, 0, '-0'],
  [1234.5, 1, '1234.5'],
  [2, 3, '2.000'],
  [1, 99, '1.00000000000000000000'],
  [1e-7, null, '1e-7'],
  [0.5, null, '0.5'],
])('%d with %d decimals', (value, decimals, expected) => {
  expect(decimalText(value, decimals)).toBe(expected);
});

test.each([
  ['1.2', 'm', '1.2\u00a0m'],
  ['1.2', '', '1.2'],
  ['50', '%', '50%'],
  ['21', '°C', '21\u00a0°C'],
  ['270', '°', '270°'],
])('%s and units "%s"', (value, units, expected) => {
  expect(withUnits(value, units)).toBe(expected);
});

test.each([
  [4.314, '+4.31\u00a0%'],
  [-12.34, '−12.3\u00a0%'],
  [1234.5, '+1,235\u00a0%'],
  [0, '0\u00a0%'],
])('a change of %d percent', (percent, expected) => {
  expect(changeText(percent)).toBe(expected);
});

test.each([
  [0.4, '°C', '+0.4\u00a0°C'],
  [-12.3456, '°', '−12.35°'],
  [0, '°F', '0\u00a0°F'],
])('a difference of %d %s', (change, units, expected) => {
  expect(differenceText(change, units)).toBe(expected);
});

test.each([
  [0.30000000000000004, 0.1, '0.3'],
  [1500, 500, '1,500'],
  [2.5e7, 5e6, '25M'],
  [-0.005, 0.005, '-0.005'],
  [7.5, 2.5, '7.5'],
  [-2.5, 2.5, '-2.5'],
  [5, 2.5, '5.0'],
  [0.25, 0.25, '0.25'],
  [20_000_002, 1, '20,000,002'],
  [2_500_000, 250_000, '2,500,000'],
  [12_500_000, 2_500_000, '12.5M'],
  [-1.5e308, 5e307, '-1.5E308'],
  [2.5e-9, 2.5e-9, '2.5E-9'],
  [0, 1e-9, '0E0'],
])('the mark %d of an axis', (value, increment, expected) => {
  expect(markText(value, increment)).toBe(expected);
});
