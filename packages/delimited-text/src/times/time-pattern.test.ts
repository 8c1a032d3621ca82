import { formatTime } from '@catchment/time';
import { timePattern } from './time-pattern.ts';
import { resolveTime } from './time-resolve.ts';

const TODAY_MS = Date.parse('2026-11-21T09:00:00Z');

function read(format: string, text: string, match: 'SMART' | 'STRICT' = 'STRICT'): string | undefined {
  const parts = timePattern(format).read(text, match);
  const time = parts && resolveTime(parts, TODAY_MS);
  if (time === undefined) return undefined;
  return 'instantMs' in time
    ? new Date(time.instantMs).toISOString()
    : new Date(time.localMs).toISOString().slice(0, -1);
}

test.each([
  ['YYYY-MM-DD HH:mm:ss', '2011-09-06 03:00:00', '2011-09-06T03:00:00.000'],
  ['YYYY-MM-DD HH:mm:ss', ' 2011-9-6   3:0:0 ', '2011-09-06T03:00:00.000'],
  ['YYYYMMDDHHmm', '201301050700', '2013-01-05T07:00:00.000'],
  ['D/M/YYYY H:mm', '5/12/2013 7:05', '2013-12-05T07:05:00.000'],
  ['D/M/YYYY H:mm', '31/12/2013 24:00', '2014-01-01T00:00:00.000'],
  ['DD/MM/YYYY h:mm A', '05/12/2013 12:05 a.m.', '2013-12-05T00:05:00.000'],
  ['DD/MM/YYYY H:mm:ss A', '05/12/2013 7:05:09 PM', '2013-12-05T19:05:09.000'],
  ['MMM D YYYY', 'FEB 29 2024', '2024-02-29T00:00:00.000'],
  ['dddd, D MMMM YY', 'tuesday, 6 september 70', '1970-09-06T00:00:00.000'],
  ['DD.MM.YY', '01.02.69', '2069-02-01T00:00:00.000'],
  ['YYYY DDDD', '2024 366', '2024-12-31T00:00:00.000'],
  ['GGGG-[W]WW-E', '2020-W53-5', '2021-01-01T00:00:00.000'],
  ['YYYY-MM-DDTHH:mm:ss.SSSZ', '2014-10-09T22:38:10.1239+02:00', '2014-10-09T20:38:10.123Z'],
  ['YYYY-MM-DD HH:mm ZZ', '2014-10-09 22:38 -0330', '2014-10-10T02:08:00.000Z'],
  ['X', '1.5', '1970-01-01T00:00:01.500Z'],
  ['x', '1500', '1970-01-01T00:00:01.500Z'],
  ['HH:mm', '07:30', '2026-11-21T07:30:00.000'],
  ['YYYY[]MM[]DD', '20130105', '2013-01-05T00:00:00.000'],
] as const)('%s reads %j as %s', (format, text, expected) => {
  expect(read(format, text)).toBe(expected);
});

test.each([
  ['YYYY-MM-DD', '2023-02-29'],
  ['YYYY-MM-DD', '2023-13-01'],
  ['YYYY-MM-DD', '1799-01-01'],
  ['YYYY-MM-DD', 'on 2023-01-01'],
  ['HH:mm', '24:01'],
  ['HH:mm:ss', '23:59:60'],
  ['YYYY DDD', '2023 366'],
  ['GGGG-WW', '2021-53'],
  ['MMM', 'Foo'],
  ['x', '999999999999999'],
  ['YYYY-MM-DD', ''],
  // An empty separator separates digits no better than none at all: each way to share them out would be tried.
  ['YYYY MMDD', '2024 12'],
  ['YYYY MM[]DD', '2024 12'],
  [`D${'[]D'.repeat(23)}Q`, '1'.repeat(36)],
  ['YYYY-MM-DD', `${' '.repeat(1_000)}2024-01-01`],
])('%s does not read %j', (format, text) => {
  expect(read(format, text)).toBeUndefined();
});

test('SMART finds the time in a text, but not inside of a longer number', () => {
  expect(read('YYYY-MM-DD', 'on 2023-01-02, early', 'SMART')).toBe('2023-01-02T00:00:00.000');
  expect(read('YYYY-MM-DD', '12023-01-023', 'SMART')).toBeUndefined();
});

test.each(['', 'T', 'Do MMM', 'Y'.repeat(101)])('refuses the format %j', (format) => {
  expect(() => timePattern(format)).toThrow(/^format: /);
});

test.each(['YYYY-MM-DD HH:mm:ss.SSS', 'DD/MM/YYYY hh:mm:ss.SSS a', 'GGGG WW E HH:mm:ss.SSS', 'YYYYDDDDHHmmss.SSS'])(
  'reads back what %s prints',
  (format) => {
    for (let at = 0; at < 300; at++) {
      const instantMs = Date.UTC(1900, 0, 1) + at * 14_400_123_457;
      expect(read(format, formatTime(instantMs, format))).toBe(new Date(instantMs).toISOString().slice(0, -1));
    }
  },
);
