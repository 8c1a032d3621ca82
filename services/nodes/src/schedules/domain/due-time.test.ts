import { effectiveZone } from '@catchment/time';
import { nextDueMs } from './due-time.ts';

const utc = (text: string) => Date.parse(text);
const DAILY = (time: string) => ({ enabled: true, type: 'DAILY', days: [], time }) as const;
const WEEKLY = (days: string[], time = '06:00') => ({ enabled: true, type: 'WEEKLY', days, time }) as const;
const MONTHLY = (days: number[], time = '06:00') => ({ enabled: true, type: 'MONTHLY', days, time }) as const;

/** Returns due times one after the other, each taken when it comes. */
function dueTimes(
  schedule: Parameters<typeof nextDueMs>[0],
  zoneName: string,
  after: string,
  count: number,
  adjustForDst = true,
): string[] {
  const zone = effectiveZone(zoneName, adjustForDst, utc(after));
  const times: string[] = [];
  for (let [afterMs, lastMs] = [utc(after), null as number | null]; times.length < count; ) {
    const dueMs = nextDueMs(schedule, zone, afterMs, lastMs);
    if (dueMs === undefined) return [...times, 'none'];
    times.push(zone.formatIso(dueMs).replace(/:00\.000/, ''));
    [afterMs, lastMs] = [dueMs, dueMs];
  }
  return times;
}

test.each([
  ['the time of today is still to come', DAILY('06:30'), 'Etc/UTC', '2024-05-15T06:29:59Z', ['2024-05-15T06:30Z']],
  ['the time of today is this instant', DAILY('06:30'), 'Etc/UTC', '2024-05-15T06:30:00Z', ['2024-05-16T06:30Z']],
  [
    'the day is that of the zone',
    DAILY('00:00'),
    'Australia/Sydney',
    '2024-05-15T13:59:59Z',
    ['2024-05-16T00:00+10:00'],
  ],
  ['the end of a year', DAILY('23:59'), 'Etc/UTC', '2024-12-31T23:59:00Z', ['2025-01-01T23:59Z']],
  [
    'midnight is skipped',
    DAILY('00:00'),
    'Asia/Beirut',
    '2024-03-30T12:00:00Z',
    ['2024-03-31T01:00+03:00', '2024-04-01T00:00+03:00'],
  ],
  [
    'a day is left out',
    DAILY('09:00'),
    'Pacific/Apia',
    '2011-12-29T00:00:00Z',
    ['2011-12-29T09:00-10:00', '2011-12-31T09:00+14:00', '2012-01-01T09:00+14:00'],
  ],
  ['a zone of 45 minutes', DAILY('06:00'), 'Asia/Kathmandu', '2024-05-15T00:15:00Z', ['2024-05-16T06:00+05:45']],
  // 2024-05-15 is a Wednesday.
  [
    'the next named day of the week',
    WEEKLY(['MON', 'THU']),
    'Etc/UTC',
    '2024-05-15T12:00:00Z',
    ['2024-05-16T06:00Z', '2024-05-20T06:00Z', '2024-05-23T06:00Z'],
  ],
  ['the same day of the next week', WEEKLY(['WED']), 'Etc/UTC', '2024-05-15T06:00:00Z', ['2024-05-22T06:00Z']],
  [
    'the same day of the week, before its time',
    WEEKLY(['WED']),
    'Etc/UTC',
    '2024-05-15T05:00:00Z',
    ['2024-05-15T06:00Z'],
  ],
  [
    'a week that begins in another year',
    WEEKLY(['SUN', 'TUE']),
    'Etc/UTC',
    '2024-12-30T00:00:00Z',
    ['2024-12-31T06:00Z', '2025-01-05T06:00Z'],
  ],
  ['before 1970', WEEKLY(['WED']), 'Etc/UTC', '1969-12-28T00:00:00Z', ['1969-12-31T06:00Z']],
  [
    'days of the month, in any order',
    MONTHLY([15, 1]),
    'Etc/UTC',
    '2024-05-15T12:00:00Z',
    ['2024-06-01T06:00Z', '2024-06-15T06:00Z'],
  ],
  [
    'a day that some months lack',
    MONTHLY([31]),
    'Etc/UTC',
    '2024-01-31T12:00:00Z',
    ['2024-02-29T06:00Z', '2024-03-31T06:00Z', '2024-04-30T06:00Z'],
  ],
  [
    'a leap day in another year',
    MONTHLY([29]),
    'Etc/UTC',
    '2025-01-30T00:00:00Z',
    ['2025-02-28T06:00Z', '2025-03-29T06:00Z'],
  ],
  [
    'two days that a month lacks are one',
    MONTHLY([30, 31]),
    'Etc/UTC',
    '2024-02-01T00:00:00Z',
    ['2024-02-29T06:00Z', '2024-03-30T06:00Z', '2024-03-31T06:00Z'],
  ],
  [
    'the last day is named besides',
    MONTHLY([28, 31]),
    'Etc/UTC',
    '2025-02-01T00:00:00Z',
    ['2025-02-28T06:00Z', '2025-03-28T06:00Z'],
  ],
  [
    'the longest time between two days of a month',
    MONTHLY([1]),
    'Etc/UTC',
    '2024-07-01T06:00:00Z',
    ['2024-08-01T06:00Z'],
  ],
  ['no day at all', WEEKLY([]), 'Etc/UTC', '2024-07-01T06:00:00Z', ['none']],
] as const)('%s', (_what, schedule, zone, after, expected) => {
  expect(dueTimes(schedule as never, zone, after, expected.length)).toEqual(expected);
});

test.each([
  [
    'a time that does not exist moves by the gap',
    '02:30',
    'America/New_York',
    '2024-03-09T12:00:00Z',
    ['2024-03-10T03:30-04:00', '2024-03-11T02:30-04:00'],
  ],
  [
    'a time that exists twice is the first one, once',
    '01:30',
    'America/New_York',
    '2024-11-02T12:00:00Z',
    ['2024-11-03T01:30-04:00', '2024-11-04T01:30-05:00'],
  ],
  [
    'a gap of half an hour',
    '02:15',
    'Australia/Lord_Howe',
    '2024-10-05T00:00:00Z',
    ['2024-10-06T02:45+11:00', '2024-10-07T02:15+11:00'],
  ],
  [
    'a gap at midnight',
    '00:30',
    'Africa/Cairo',
    '2024-04-25T12:00:00Z',
    ['2024-04-26T01:30+03:00', '2024-04-27T00:30+03:00'],
  ],
  [
    'a gap before midnight: the day after has its own',
    '23:30',
    'America/Nuuk',
    '2024-03-30T12:00:00Z',
    ['2024-03-31T00:30-01:00', '2024-03-31T23:30-01:00', '2024-04-01T23:30-01:00'],
  ],
  [
    'a day that does not exist',
    '12:00',
    'Pacific/Apia',
    '2011-12-29T12:00:00Z',
    ['2011-12-29T12:00-10:00', '2011-12-31T12:00+14:00', '2012-01-01T12:00+14:00'],
  ],
  [
    'a zone without DST',
    '06:00',
    'Australia/Brisbane',
    '2024-10-05T12:00:00Z',
    ['2024-10-06T06:00+10:00', '2024-10-07T06:00+10:00'],
  ],
] as const)('DST: %s', (_what, time, zone, after, expected) => {
  expect(dueTimes(DAILY(time), zone, after, expected.length)).toEqual(expected);
});

test('without DST the offset stays that of the standard time', () => {
  const times = dueTimes(DAILY('02:30'), 'America/New_York', '2024-03-09T12:00:00Z', 2, false);
  expect(times).toEqual(['2024-03-10T02:30-05:00', '2024-03-11T02:30-05:00']);
});

describe('at most once a day', () => {
  const zone = effectiveZone('Etc/UTC', true, 0);
  test.each([
    ['a later time on the day that has had one', DAILY('18:00'), '2024-05-15T06:00:00Z', '2024-05-16T18:00:00Z'],
    ['the same time again', DAILY('06:00'), '2024-05-15T06:00:00Z', '2024-05-16T06:00:00Z'],
    ['a day before counts not', DAILY('18:00'), '2024-05-14T06:00:00Z', '2024-05-15T18:00:00Z'],
  ])('%s', (_what, schedule, last, expected) => {
    expect(nextDueMs(schedule, zone, utc('2024-05-15T10:00:00Z'), utc(last))).toBe(utc(expected));
  });

  test('the day is that of the zone of now', () => {
    // Monday in Auckland is still Sunday in Honolulu.
    const honolulu = effectiveZone('Pacific/Honolulu', true, 0);
    const last = utc('2024-05-12T18:00:00Z');
    expect(nextDueMs(DAILY('20:00'), honolulu, last, last)).toBe(utc('2024-05-14T06:00:00Z'));
  });

  test.each(['Europe/Berlin', 'America/Nuuk', 'Africa/Casablanca', 'Australia/Lord_Howe', 'Asia/Kolkata'])(
    'holds over ten years in %s, whatever the time, and no day is left out',
    (name) => {
      const [from, to] = [utc('2020-01-01T00:00:00Z'), utc('2030-01-01T00:00:00Z')];
      const own = effectiveZone(name, true, from);
      for (const time of ['00:00', '00:30', '01:30', '02:30', '23:30']) {
        let [count, ms] = [0, from];
        for (let next: number | undefined; ms < to; ms = next, count += 1) {
          next = nextDueMs(DAILY(time), own, ms, count === 0 ? null : ms)!;
          // Half an hour less, or more, than a day: all that DST may do.
          if (count > 0) expect(Math.abs(next - ms - 86_400_000)).toBeLessThanOrEqual(3_600_000);
        }
        expect(count).toBeGreaterThanOrEqual(3653);
        expect(count).toBeLessThanOrEqual(3654);
      }
    },
  );
});
