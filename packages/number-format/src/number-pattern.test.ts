import { formatNumber, parseNumberPattern, roundToPattern } from './number-pattern.ts';

const format = (value: number, text: string) => {
  const pattern = parseNumberPattern(text);
  if (!pattern) throw new Error(`no pattern: ${text}`);
  return formatNumber(value, pattern);
};

/** See docs/reference/parameters.md#number-patterns. */
test.each([
  ['0.###', '1234.568', '0.5', '2', '-7.25'],
  ['0.00', '1234.57', '0.50', '2.00', '-7.25'],
  ['#.#', '1234.6', '0.5', '2', '-7.2'],
  ['#.00', '1234.57', '.50', '2.00', '-7.25'],
  ['#,##0.0', '1,234.6', '0.5', '2.0', '-7.2'],
  ['0%', '123457%', '50%', '200%', '-725%'],
])('%s', (pattern, ...expected) => {
  expect([1234.5678, 0.5, 2, -7.25].map((value) => format(value, pattern))).toEqual(expected);
});

test.each([
  ['half to even downwards', 0.125, '0.00', '0.12'],
  ['half to even upwards', 0.375, '0.00', '0.38'],
  ['2.5 is a tie', 2.5, '0', '2'],
  ['3.5 is a tie', 3.5, '0', '4'],
  ['1.005 is below its tie', 1.005, '0.00', '1.00'],
  ['2.675 is below its tie', 2.675, '0.00', '2.67'],
  ['-0', -0, '0.0', '0.0'],
  ['what rounds to nothing has no sign', -0.001, '0.00', '0.00'],
  ['a pattern without 0 prints an integer digit', 0, '#', '0'],
  ['and so does one with optional decimals', 0, '#.##', '0'],
  ['leading zeros', 7, '000', '007'],
  ['groups of three', 1234567.891, '#,##0.00', '1,234,567.89'],
  ['groups of four', 123456789, '#,####', '1,2345,6789'],
  ['zeros are grouped too', 1, '0,000', '0,001'],
  ['a prefix and a suffix', 5, '$0.00 net', '$5.00 net'],
  ['a negative part', -5, '0.0;(0.0)', '(5.0)'],
  ['a negative part rules prefix and suffix only', -5.25, '0.00;(#)', '(5.25)'],
  ['quoted literals', 5, "0' #'", '5 #'],
  ['an apostrophe', 5, "0''", "5'"],
  ['percent without loss', 0.07, '0.##%', '7%'],
  ['scientific', 12345, '0.00E0', '1.23E4'],
  ['scientific, small', 0.00012, '0.0E00', '1.2E-04'],
  ['scientific, rounding over a power', 9.996, '0.00E0', '1.00E1'],
  ['scientific zero', 0, '0.00E0', '0.00E0'],
  ['every digit of a large number', 1e300, '0', BigInt(1e300).toString()],
])('%s', (_what, value, pattern, expected) => {
  expect(format(value, pattern)).toBe(expected);
});

test.each(['', 'abc', '0#', '#0#', '0.#0', '0,', '0.0.0', "0'", '0;', ';0', '0.0E#', '0'.repeat(101)])(
  '"%s" is no pattern',
  (text) => {
    expect(parseNumberPattern(text)).toBeUndefined();
  },
);

test.each([
  ['0.0', 1.25, 1.2],
  ['0', 0.5, 0],
  ['0.00', 1.005, 1],
  ['#,##0.###', 1234567.12345, 1234567.123],
  ['0%', 0.5, 0.5],
  ['0%', 0.1234, 0.12],
  ['0%', 0.125, 0.12],
  ['0%', 0.004, 0],
  ['0.0%', -0.12345, -0.123],
  ['%0.##', 0.123456, 0.1235],
  ['#,##0 %', 1234.567, 1234.57],
  ["0'%'", 0.5, 0],
  ['0.00E0%', 1.23456e-7, 1.23456e-7],
  ['0', 9007199254740991, 9007199254740991],
  ['0.00', 1.7976931348623157e308, 1.7976931348623157e308],
  ['0.0%', 5e-324, 0],
  ['0.00', -1.239, -1.24],
])('JSON rounds to the decimals of %s: %d is %d', (text, value, expected) => {
  const pattern = parseNumberPattern(text);
  expect(pattern && roundToPattern(value, pattern)).toBe(expected);
});
