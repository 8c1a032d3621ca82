import { readBoolean, readNumber } from './field-values.ts';

test.each([
  ['STRICT', '.', ' -1.5e3 ', -1500],
  ['STRICT', '.', '.5', 0.5],
  ['STRICT', ',', '1,5', 1.5],
  ['STRICT', ',', '1.5', undefined],
  ['STRICT', '.', '1.5 mm', undefined],
  ['STRICT', '.', '1e999', undefined],
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

test.each([
  ['STRICT', 'TRUE', true],
  ['STRICT', 'off', false],
  ['STRICT', '1', true],
  ['STRICT', '10', undefined],
  ['STRICT', '', null],
  ['SMART', 'pump ON', true],
  ['SMART', 'cannot', undefined],
  ['SMART', 'ON\u0000', undefined],
  ['SMART', '1\u00000', undefined],
  ['SMART', 'pump \u0000 ON', undefined],
] as const)('%s reads the boolean %j as %p', (match, text, expected) => {
  expect(readBoolean(text, match)).toBe(expected);
});
