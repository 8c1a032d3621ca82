import { UTC_ZONE } from '@catchment/time';
import type { RawValue } from '../../values/index.ts';
import { valueText } from './value-text.ts';

const READER = { zone: UTC_ZONE, timeFormat: 'YYYY-MM-DD' };
const PLAIN = { multiplier: 1, offset: 0, format: '0.###' };

test.each([
  [7.26, { ...PLAIN, format: '0.0' }, '7.3'],
  [7.26, { multiplier: 2, offset: 1, format: '' }, '15.52'],
  [7, { ...PLAIN, format: '0.0.0' }, '7'],
  ['open', PLAIN, 'open'],
  [{ $millis: 0 }, { ...PLAIN, format: 'HH:mm' }, '00:00'],
  [{ $millis: 0 }, { ...PLAIN, format: '' }, '1970-01-01'],
  [[-33.5, 151] as const, PLAIN, '-33.5, 151'],
] as [RawValue, typeof PLAIN, string][])('%j by %j is %s', (value, format, expected) => {
  expect(valueText(value, format, READER)).toBe(expected);
});
