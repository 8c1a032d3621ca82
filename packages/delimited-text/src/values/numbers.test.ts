import { readNumber } from './numbers.ts';

test.each([
  ['STRICT', '.', ' -1.5e3 ', -1500],
  ['STRICT', '.', '.5', 0.5],
  ['STRICT', ',', '1,5', 1.5],
  ['STRICT', ',', '1.5', undefined],
  ['STRICT', '.', '1.5 mm', undefined],
  ['STRICT', '.', '1e999', undefined],
  ['STRICT', '.', '−1.5', -1.5],
  ['STRICT', '.', '4-', undefined],
  ['SMART', '.', '1,234,567.5 m³/s', 1234567.5],
  ['SMART', ',', '1.234,5 €', 1234.5],
  ['SMART', '.', 'Level: +12 cm', 12],
  ['SMART', '.', 'high', undefined],
  ['SMART', '.', '1'.repeat(1001), undefined],
  ...['6\u00005', '1\u0000.5', '12\u0000\u0000', '\u000012', '\u0000', '1,\u0000234', '---\u0000', '12 \u0000mm'].map(
    (text) => ['SMART', '.', text, undefined] as const,
  ),
  ['SMART', ',', '1\u0000,5', undefined],
  ...['', '  ', 'NAN', 'NaN', 'INF', '-INF', '---', 'null'].map((text) => ['STRICT', '.', text, null] as const),
] as const)('%s with decimal %s reads the number %j as %p', (match, separator, text, expected) => {
  expect(readNumber(text, match, separator)).toBe(expected);
});

describe('SMART, with a decimal point', () => {
  test.each([
    // Units, and words with digits.
    ['12.5 V', 12.5],
    ['12.5V', 12.5],
    ['T=23.4', 23.4],
    ['CO2 412 ppm', 412],
    ['H2O 5', 5],
    ['PM2.5 12', 12],
    ['NO3-N: 1.5', 1.5],
    ['Ch_1 7', 7],
    ['CO2', undefined],
    ['<0.5', 0.5],
    ['> 100', 100],
    ['23.4 °C', 23.4],
    ['$5', 5],
    ['1.5.', 1.5],
    // Signs.
    ['−1.5 °C', -1.5],
    ['–1.5', -1.5],
    ['－1.5', -1.5],
    ['- 1.5', -1.5],
    ['− 3', -3],
    ['T= - 4', -4],
    ['+ 2', 2],
    ['＋2', 2],
    ['(4)', -4],
    ['( 4.5 ) V', -4.5],
    ['(4 V)', -4],
    ['4-', -4],
    ['4− mm', -4],
    ['(-4)', undefined],
    ['--4', undefined],
    ['Temp - 5', 5],
    // Groups of three.
    ['1,234', 1234],
    ['1 234', 1234],
    ['1\u00a0234\u00a0567.8', 1234567.8],
    ['1\u202f234', 1234],
    ["1'234.5", 1234.5],
    ['1’234’567', 1234567],
    ['1,23', undefined],
    ['12,34,567', undefined],
    ['1.234,5', undefined],
    ['1234,567', undefined],
    ["1'23", undefined],
    ['1,234.567,8', undefined],
    // Exponents.
    ['1.5E+03 kPa', 1500],
    ['1.5e−3', 0.0015],
    ['5e3', 5000],
    // These are not one number each.
    ['2024-01-01', undefined],
    ['12:30', undefined],
    ['1/2', undefined],
    ['192.168.1.1', undefined],
    ['=1+1', undefined],
    ['="5"', undefined],
    ['#DIV/0!', undefined],
    ['#N/A', undefined],
    ['\ufffd1.5', undefined],
    ['1\ufffd234', undefined],
    ['23.4 \ufffdC', 23.4],
  ] as const)('%j is %p', (text, expected) => {
    expect(readNumber(text, 'SMART', '.')).toBe(expected);
  });
});

test.each([
  ['1.234,5', 1234.5],
  ['1 234,5', 1234.5],
  ["1'234,5", 1234.5],
  ['1.234.567', 1234567],
  ['1,5e3', 1500],
  ['−0,5 m', -0.5],
  ['1.5', undefined],
  ['1.23', undefined],
  ['1.234', 1234],
  ['1,2,3', undefined],
  ['13.07.2024', undefined],
] as const)('SMART, with a decimal comma: %j is %p', (text, expected) => {
  expect(readNumber(text, 'SMART', ',')).toBe(expected);
});
