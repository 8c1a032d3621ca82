import { DomainError } from '@catchment/errors';
import { seedOf } from '@catchment/testkit/amount';
import { effectiveZone, fixedZone, formatOffset, normaliseZoneName, UTC_ZONE } from './index.ts';

const NOW = Date.parse('2024-05-15T10:47:23.456Z');
const utc = (text: string) => Date.parse(text);

test.each([
  ['America/New_York', '2024-03-10T02:30:00', '2024-03-10T07:30:00Z'], // gap: 02:30 does not exist, 03:30 EDT
  ['America/New_York', '2024-03-10T01:59:59', '2024-03-10T06:59:59Z'],
  ['America/New_York', '2024-03-10T03:00:00', '2024-03-10T07:00:00Z'],
  ['America/New_York', '2024-11-03T01:30:00', '2024-11-03T05:30:00Z'], // twice: the earlier one, EDT
  ['America/New_York', '2024-11-03T02:00:00', '2024-11-03T07:00:00Z'],
  ['Australia/Sydney', '2024-10-06T02:30:00', '2024-10-05T16:30:00Z'],
  ['Australia/Sydney', '2024-04-07T02:30:00', '2024-04-06T15:30:00Z'],
  ['Australia/Lord_Howe', '2024-10-06T02:15:00', '2024-10-05T15:45:00Z'], // gap of half an hour
  ['Australia/Lord_Howe', '2024-04-07T01:45:00', '2024-04-06T14:45:00Z'],
  ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00Z'], // a whole day skipped
])('local time of %s %s is the instant %s', (name, local, expected) => {
  expect(effectiveZone(name, true, NOW).instantMsOf(utc(`${local}Z`))).toBe(utc(expected));
});

test.each([
  'America/New_York',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Apia',
])('%s agrees with Temporal at random instants and local times', (name) => {
  const zone = effectiveZone(name, true, NOW);
  const seed = seedOf('ZONE_SEED');
  let state = seed % 2_147_483_647;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let i = 0; i < 3000; i++) {
    const ms = Math.floor(
      utc('1995-01-01T00:00:00Z') + random() * (utc('2035-01-01T00:00:00Z') - utc('1995-01-01T00:00:00Z')),
    );
    const instant = Temporal.Instant.fromEpochMilliseconds(ms);
    const context = `seed ${seed}: ${instant}`;
    expect([context, zone.offsetMsAt(ms)]).toEqual([context, instant.toZonedDateTimeISO(name).offsetNanoseconds / 1e6]);
    const local = instant.toZonedDateTimeISO('UTC').toPlainDateTime();
    expect([context, zone.instantMsOf(ms)]).toEqual([context, local.toZonedDateTime(name).epochMilliseconds]);
  }
});

test('the offset changes at the very millisecond of the transition', () => {
  const zone = effectiveZone('America/New_York', true, NOW);
  const springMs = utc('2024-03-10T07:00:00Z');
  expect(zone.offsetMsAt(springMs) / 3_600_000).toBe(-4);
  expect(zone.offsetMsAt(springMs - 1) / 3_600_000).toBe(-5);
  expect(zone.offsetMsAt(springMs) / 3_600_000).toBe(-4);
});

test.each([
  ['America/New_York', '-05:00'],
  ['Australia/Sydney', '+10:00'],
  ['Australia/Lord_Howe', '+10:30'],
  ['Europe/Dublin', '+00:00'],
  ['Asia/Kathmandu', '+05:45'],
])('without DST %s is %s at all instants', (name, offset) => {
  const zone = effectiveZone(name, false, NOW);
  for (const at of ['1990-01-01T00:00:00Z', '2024-01-01T00:00:00Z', '2024-07-01T00:00:00Z']) {
    expect(zone.formatIso(utc(at))).toMatch(new RegExp(`${offset.replace('+', '\\+')}$`));
  }
});

test('the standard offset is that of the current year', () => {
  // Istanbul gave up winter time in 2016.
  expect(formatOffset(effectiveZone('Europe/Istanbul', false, utc('2015-06-01T00:00:00Z')).offsetMsAt(0))).toBe(
    '+02:00',
  );
  expect(formatOffset(effectiveZone('Europe/Istanbul', false, utc('2020-06-01T00:00:00Z')).offsetMsAt(0))).toBe(
    '+03:00',
  );
});

test.each([
  ['Etc/UTC', '2024-01-01T00:00:00.000Z'],
  ['utc', '2024-01-01T00:00:00.000Z'],
  ['AUSTRALIA/sydney', '2024-01-01T11:00:00.000+11:00'],
  ['Europe/London', '2024-01-01T00:00:00.000+00:00'],
  ['America/St_Johns', '2023-12-31T20:30:00.000-03:30'],
  ['Etc/GMT+5', '2023-12-31T19:00:00.000-05:00'],
])('times of %s are printed like %s', (name, expected) => {
  expect(effectiveZone(name, true, NOW).formatIso(utc('2024-01-01T00:00:00Z'))).toBe(expected);
});

test('an old local mean time is printed with an offset that reads back to the same instant', () => {
  const text = effectiveZone('Australia/Sydney', true, NOW).formatIso(utc('1850-01-01T00:00:00Z'));
  expect(text).toBe('1850-01-01T10:05:00.000+10:05');
  expect(Date.parse(text)).toBe(utc('1850-01-01T00:00:00Z'));
});

test.each(['', 'Mars/Olympus', '+10:00', 'Z', '2024-01-01T00:00:00Z[Europe/Paris]', 'Europe/Paris ', 'a'.repeat(100)])(
  'the zone name %j is refused',
  (name) => {
    expect(normaliseZoneName(name)).toBeUndefined();
    expect(() => effectiveZone(name, true, NOW)).toThrow(DomainError);
    expect(() => effectiveZone(name, false, NOW, 'tz')).toThrow('tz must be the name of an IANA time zone');
  },
);

test('names come back in their usual spelling, zones are shared', () => {
  expect(normaliseZoneName('australia/SYDNEY')).toBe('Australia/Sydney');
  expect(effectiveZone('australia/SYDNEY', true, NOW)).toBe(effectiveZone('Australia/Sydney', true, NOW));
  expect(effectiveZone('Zulu', false, NOW)).toBe(UTC_ZONE);
  expect(fixedZone(-3_600_000).name).toBe('-01:00');
});
