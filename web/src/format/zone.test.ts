import { zoneOf } from './zone.ts';

const clock = (zone: ReturnType<typeof zoneOf>, iso: string) =>
  new Date(Date.parse(iso) + zone.offsetMs(Date.parse(iso))).toISOString().slice(0, 19);

test.each([
  ['in winter', 'America/New_York', true, '2018-01-01T12:00:00Z', '2018-01-01T07:00:00'],
  ['in summer', 'America/New_York', true, '2018-06-01T12:00:00Z', '2018-06-01T08:00:00'],
  ['in summer without daylight saving time', 'America/New_York', false, '2018-06-01T12:00:00Z', '2018-06-01T07:00:00'],
  [
    'south of the equator, where standard time is that of July',
    'Australia/Sydney',
    false,
    '2018-01-01T00:00:00Z',
    '2018-01-01T10:00:00',
  ],
  ['with three quarters of an hour', 'Asia/Kathmandu', true, '2018-01-01T00:00:00Z', '2018-01-01T05:45:00'],
  ['the last second before clocks go back', 'Europe/Berlin', true, '2018-10-28T00:59:59Z', '2018-10-28T02:59:59'],
  ['the first one after it', 'Europe/Berlin', true, '2018-10-28T01:00:00Z', '2018-10-28T02:00:00'],
  ['before 1970', 'Etc/UTC', true, '1901-12-13T20:45:52Z', '1901-12-13T20:45:52'],
  ['of a zone that the browser does not know', 'Mars/Olympus', true, '2018-01-01T12:00:00Z', '2018-01-01T12:00:00'],
] as const)('clock time %s', (_what, name, adjusts, iso, expected) => {
  expect(clock(zoneOf(name, adjusts, 2018), iso)).toBe(expected);
});

test('an instant of a clock time is the one that the clock shows it at', () => {
  const zone = zoneOf('Europe/Berlin', true, 2018);
  expect(new Date(zone.instant(Date.UTC(2018, 5, 1, 12))).toISOString()).toBe('2018-06-01T10:00:00.000Z');
  expect(new Date(zone.instant(Date.UTC(2018, 9, 28, 12))).toISOString()).toBe('2018-10-28T11:00:00.000Z');
});
