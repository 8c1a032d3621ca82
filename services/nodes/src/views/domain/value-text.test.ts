import { UTC_ZONE } from '@catchment/time';
import type { RawValue } from '../../shown/index.ts';
import { valueText } from './value-text.ts';

const READER = { zone: UTC_ZONE, timeFormat: 'YYYY-MM-DD' };

test.each([
  ['the shown number', 3, 7.26, '0.0', '7.3'],
  ['full resolution', 3, 15.52, '', '15.52'],
  ['a pattern that is none', 3, 7, '0.0.0', '7'],
  ['a number beyond all numbers', 3, null, '0.0', ''],
  ['a text', 'open', null, '0.0', 'open'],
  ['a time by the tokens of its parameter', { $millis: 0 }, null, 'HH:mm', '00:00'],
  ['a time by those of its reader', { $millis: 0 }, null, '', '1970-01-01'],
  ['coordinates', [-33.5, 151] as const, null, '', '-33.5, 151'],
] as [string, RawValue, number | null, string, string][])(
  '%s: %j, shown as %j, by %s',
  (_what, value, number, format, expected) => {
    const record = { ms: 0, value, quality: null };
    expect(valueText({ record, shown: { number, stateId: null } }, format, READER)).toBe(expected);
  },
);
