import { DomainError } from '@catchment/errors';
import {
  civilFromDays,
  DAY_MS,
  daysFromCivil,
  effectiveZone,
  formatIsoMs,
  parseInstantMs,
  parseTimeValueMs,
  tryParseInstantMs,
  tryParseUtcBytes,
} from './index.ts';

const utc = (text: string) => Date.parse(text);
const sydney = effectiveZone('Australia/Sydney', true, 0);

test.each([
  ['2014-10-09T22:38:10Z', '2014-10-09T22:38:10.000Z'],
  ['2014-10-09T22:38:10.000Z', '2014-10-09T22:38:10.000Z'],
  ['2014-10-09T20:38:10+0200', '2014-10-09T18:38:10.000Z'],
  ['2014-10-09T20:38:10+02:00', '2014-10-09T18:38:10.000Z'],
  ['2014-10-09T20:38:10+02', '2014-10-09T18:38:10.000Z'],
  ['2014-10-09T20:38:10-03:30', '2014-10-10T00:08:10.000Z'],
  ['2014-10-09T20:38:10+1300', '2014-10-09T07:38:10.000Z'],
  ['2014-10-09T22:38Z', '2014-10-09T22:38:00.000Z'],
  ['2014-10-09T22:38+02', '2014-10-09T20:38:00.000Z'],
  ['2014-10-09T22:38', '2014-10-09T22:38:00.000Z'],
  ['2014-10-09T22:38:10', '2014-10-09T22:38:10.000Z'],
  ['2014-10-09T22:38:10.1Z', '2014-10-09T22:38:10.100Z'],
  ['2014-10-09T22:38:10.12Z', '2014-10-09T22:38:10.120Z'],
  ['2014-10-09T22:38:10.1239Z', '2014-10-09T22:38:10.123Z'],
  ['2014-10-09T22:38:10.999999999+00:00', '2014-10-09T22:38:10.999Z'],
  ['2014-10-09T22:38:10.123456789', '2014-10-09T22:38:10.123Z'],
  ['2014-10-09', '2014-10-09T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['1800-01-01T00:00:00Z', '1800-01-01T00:00:00.000Z'],
  ['9998-12-31T23:59:59.999Z', '9998-12-31T23:59:59.999Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
])('%s is read as %s', (text, expected) => {
  expect(tryParseInstantMs(text)).toBe(utc(expected));
  expect(parseInstantMs('startTime', text)).toBe(utc(expected));
});

test.each([
  '',
  'now',
  '2014',
  '2014-10',
  '20141009T223810Z',
  '2014-10-9T22:38:10Z',
  '2014-13-09T22:38:10Z',
  '2014-00-09T22:38:10Z',
  '2014-02-29T00:00:00Z',
  '1900-02-29',
  '2014-04-31',
  '2014-10-00',
  '2014-10-09T24:00:00Z',
  '2014-10-09T23:60:00Z',
  '2016-12-31T23:59:60Z',
  '2014-10-09T22',
  '2014-10-09T22Z',
  '2014-10-09Z',
  '2014-10-09 22:38:10Z',
  '2014-10-09t22:38:10Z',
  '2014-10-09T22:38:10z',
  '2014-10-09T22:38:10.Z',
  '2014-10-09T22:38:10,5Z',
  '2014-10-09T22:38:10.1234567890Z',
  '2014-10-09T22:38.5Z',
  '2014-10-09T22:38:10+2',
  '2014-10-09T22:38:10+24:00',
  '2014-10-09T22:38:10+02:60',
  '2014-10-09T22:38:10+020',
  '2014-10-09T22:38:10+02:0',
  '2014-10-09T22:38:10Z ',
  ' 2014-10-09T22:38:10Z',
  '2014-10-09T22:38:10ZZ',
  '2014-10-09T22:38:10 0200',
  '2014-10-09T22:38:10[UTC]',
  '2014-10-09T22:38:10\u0660Z',
  '1799-12-31T23:59:59Z',
  '9999-01-01T00:00:00Z',
  '+02014-10-09T22:38:10Z',
  '-2014-10-09',
  'NaN-10-09',
])('%j is refused', (text) => {
  expect(tryParseInstantMs(text)).toBeUndefined();
  expect(() => parseInstantMs('startTime', text)).toThrow(DomainError);
  expect(() => parseInstantMs('startTime', text)).toThrow(/^startTime must be an ISO 8601 timestamp/);
});

test.each([
  ['2014-10-09T22:38:10', '2014-10-09T11:38:10.000Z'],
  ['2014-07-09', '2014-07-08T14:00:00.000Z'],
  ['2014-07-09T10:00Z', '2014-07-09T10:00:00.000Z'],
  ['2014-07-09T10:00+01', '2014-07-09T09:00:00.000Z'],
])('a text without a zone is local time of the given zone: %s', (text, expected) => {
  expect(tryParseInstantMs(text, { zone: sydney })).toBe(utc(expected));
});

test('a space is a plus only where asked for and only where the sign stands', () => {
  expect(tryParseInstantMs('2014-10-09T20:38:10 0200', { spaceAsPlus: true })).toBe(utc('2014-10-09T18:38:10Z'));
  expect(tryParseInstantMs('2014-10-09T20:38:10 02:00', { spaceAsPlus: true })).toBe(utc('2014-10-09T18:38:10Z'));
  expect(tryParseInstantMs('2014-10-09 20:38:10Z', { spaceAsPlus: true })).toBeUndefined();
});

test.each([
  ['2014-10-09T22:38:10Z', utc('2014-10-09T22:38:10Z')],
  [{ $time: '2014-10-09T22:38:10Z' }, utc('2014-10-09T22:38:10Z')],
  [{ $millis: 1_412_894_290_000 }, 1_412_894_290_000],
  [1_412_894_290_000, 1_412_894_290_000],
  [0, 0],
  [-1, -1],
  [0.5, undefined],
  [Number.NaN, undefined],
  [1e17, undefined],
  [utc('1800-01-01T00:00:00Z') - 1, undefined],
  ['1412894290000', undefined],
  [{ $millis: '1412894290000' }, undefined],
  [{ $millis: 1.5 }, undefined],
  [{ $time: 5 }, undefined],
  [{ $time: 'x' }, undefined],
  [{}, undefined],
  [[], undefined],
  [null, undefined],
  [undefined, undefined],
  [true, undefined],
])('the time value %j is %j', (value, expected) => {
  expect(parseTimeValueMs(value)).toBe(expected);
});

test('what is printed is what Date prints, and is read back', () => {
  for (let i = 0; i < 20_000; i++) {
    const ms = Math.floor(
      utc('1800-01-01T00:00:00Z') + Math.random() * (utc('9998-12-31T00:00:00Z') - utc('1800-01-01T00:00:00Z')),
    );
    const text = formatIsoMs(ms);
    expect(text).toBe(new Date(ms).toISOString());
    expect(tryParseInstantMs(text)).toBe(ms);
  }
  expect(() => formatIsoMs(Number.NaN)).toThrow(RangeError);
});

test('times of many days in turns: dates that are kept for one day are never those of another', () => {
  const days = [0, 1, -1, 63, 64, 65, -63, -64, -65, 19_999, 19_999 + 64, 19_999 - 64, 100_000_000, -100_000_000];
  for (let round = 0; round < 3; round += 1)
    for (const day of days) {
      const ms = day * 86_400_000 + (Math.abs(day) < 1e8 ? 3_723_004 + round : 0);
      expect(formatIsoMs(ms)).toBe(new Date(ms).toISOString());
    }
  expect(() => formatIsoMs(8.64e15 + 86_400_000)).toThrow(RangeError);
  expect(formatIsoMs(8.64e15)).toBe('+275760-09-13T00:00:00.000Z');
});

test('the calendar agrees with Date on every day of 1799-2101 and backwards', () => {
  for (let day = daysFromCivil(1799, 1, 1); day <= daysFromCivil(2101, 1, 1); day++) {
    const date = new Date(day * DAY_MS);
    const civil = civilFromDays(day);
    const expected = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    if (civil.year !== expected[0] || civil.month !== expected[1] || civil.day !== expected[2]) {
      throw new Error(`day ${day}: ${JSON.stringify(civil)} instead of ${expected}`);
    }
    if (daysFromCivil(civil.year, civil.month, civil.day) !== day) throw new Error(`day ${day} is not read back`);
  }
});

test.each([
  ['2014-10-09T22:38:10.123Z', true],
  ['2014-10-09T22:38:10Z', true],
  ['2024-02-29T23:59:59.999Z', true],
  ['1800-01-01T00:00:00.000Z', true],
  ['9998-12-31T23:59:59.007Z', true],
  ['2023-02-29T00:00:00Z', false],
  ['2024-13-01T00:00:00Z', false],
  ['2024-00-01T00:00:00Z', false],
  ['2024-01-00T00:00:00Z', false],
  ['1799-12-31T23:59:59Z', false],
  ['9999-01-01T00:00:00Z', false],
  ['2024-01-01T24:00:00Z', false],
  ['2024-01-01T00:60:00Z', false],
  ['2024-01-01T00:00:60Z', false],
  ['2024-01-01T00:00:00,000Z', false],
  ['2024-01-01T00:00:00.0x0Z', false],
  ['2024-01-01T00:00:00.00xZ', false],
  ['2024-01-01 00:00:00Z', false],
  ['2024-01-01T00:00:00z', false],
  ['2024-01-01T00:00', false],
  ['', false],
])('among bytes, %j is a time in the usual form: %s', (text, isUsual) => {
  const bytes = Buffer.from(`ab${text}5`);
  expect(tryParseUtcBytes(bytes, 2, bytes.length - 1)).toBe(isUsual ? tryParseInstantMs(text) : undefined);
  if (isUsual) expect(tryParseInstantMs(text)).toBe(Date.parse(text));
});
