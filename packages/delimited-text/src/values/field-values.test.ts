import { readBoolean } from './field-values.ts';

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
