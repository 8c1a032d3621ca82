import { tickLabels } from '../charts/time-ticks.ts';
import { absoluteTime, periodText, relativeTime, shortTime } from './times.ts';
import { zoneOf } from './zone.ts';

const NOW = Date.parse('2018-06-22T15:00:00Z');

test.each([
  ['just now', 3_000, 'now'],
  ['of a clock that is a little ahead', -5_000, 'now'],
  ['seconds', 42_000, '42 seconds ago'],
  ['what rounds to a minute', 59_600, '1 minute ago'],
  ['minutes', 5 * 60_000, '5 minutes ago'],
  ['hours', 3 * 3_600_000, '3 hours ago'],
  ['yesterday', 24 * 3_600_000, 'yesterday'],
  ['days', 12 * 86_400_000, '12 days ago'],
  ['years', 800 * 86_400_000, '2 years ago'],
  ['the future', -2 * 3_600_000, 'in 2 hours'],
])('%s', (_what, agoMs, expected) => {
  expect(relativeTime(NOW - agoMs, NOW)).toBe(expected);
});

test('a time of today needs no date; which day it is depends on the zone', () => {
  const tokyo = zoneOf('Asia/Tokyo', true, 2018);
  // It is midnight there.
  expect(shortTime(NOW, NOW + 3_600_000, tokyo)).toBe('00:00');
  expect(shortTime(NOW - 3_600_000, NOW + 3_600_000, tokyo)).toMatch(/Jun.* 23:00$/);
  expect(shortTime(NOW - 3_600_000, NOW + 3_600_000, zoneOf('Etc/UTC', true, 2018))).not.toMatch(/Jun/);
});

test('the axis, the readout and notes have one clock', () => {
  const zone = zoneOf('America/New_York', true, 2018);
  const ms = Date.UTC(2018, 5, 22, 18, 30);
  const axis = tickLabels([ms], { ms: 60_000 }, zone)[0]!.split('\n')[0];
  expect([axis, shortTime(ms, ms, zone)]).toEqual(['14:30', '14:30']);
  expect([absoluteTime(ms, zone), shortTime(ms, 0, zone)]).toEqual([
    expect.stringMatching(/2018, 14:30:00$/),
    expect.stringMatching(/2018, 14:30$/),
  ]);
  expect(absoluteTime(Date.UTC(2018, 5, 22, 4), zone)).toMatch(/ 00:00:00$/);
  // A record has its own time, to the millisecond.
  expect(absoluteTime(ms + 250, zone)).toMatch(/ 14:30:00\.250$/);
  expect(absoluteTime(-1, zone)).toMatch(/ 18:59:59\.999$/);
});

test.each([
  ['NOW-7D', 'last 7 days'],
  ['now-1d', 'last day'],
  ['NOW - 3MO', 'last 3 months'],
  ['NOW-1Y', 'last year'],
  ['NOW-7D+2H', 'NOW-7D+2H'],
  ['', ''],
])('period %s is "%s"', (period, expected) => {
  expect(periodText(period)).toBe(expected);
});
