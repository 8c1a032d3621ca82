import { DomainError } from '@catchment/errors';
import {
  addPeriod,
  addUnits,
  effectiveZone,
  elapsedMsOf,
  evaluateOpc,
  formatPeriod,
  type OpcUnit,
  parseOpc,
  parseOpcArgument,
  parsePeriod,
  parsePeriodArgument,
  parseTimeArgument,
  readTimeArgument,
  startOf,
  UTC_ZONE,
  wallTimeOf,
} from './index.ts';

const NOW = Date.parse('2024-05-15T10:47:23.456Z');
const utc = (text: string) => Date.parse(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
const zoneOf = (name: string) => effectiveZone(name, true, NOW);
const evaluate = (text: string, context: Partial<Parameters<typeof evaluateOpc>[1]> = {}) =>
  evaluateOpc(parseOpc(text)!, { nowMs: NOW, ...context });

test.each([
  ['NOW', '2024-05-15T10:47:23.456'],
  ['S', '2024-05-15T10:47:23.000'],
  ['MINUTE', '2024-05-15T10:47:00'],
  ['H', '2024-05-15T10:00:00'],
  ['D+9H', '2024-05-15T09:00:00'],
  ['W', '2024-05-13T00:00:00'],
  ['MO[+10:00]+7D', '2024-05-08T00:00:00+10:00'],
  ['NOW-7D+6H', '2024-05-08T16:47:23.456'],
  ['DAY -1D+7H30M', '2024-05-14T07:30:00'],
  ['MO-1D+5h', '2024-04-30T05:00:00'],
  ['NOW-1H15M', '2024-05-15T09:32:23.456'],
  ['YEAR+3MO', '2024-04-01T00:00:00'],
  ['W-9H', '2024-05-12T15:00:00'],
  ['LAST-1D', '2024-05-09T12:00:00'],
  ['first', '2020-02-29T00:00:00'],
  ['first + 1 year', '2021-02-28T00:00:00'],
  ['now - 2 weeks', '2024-05-01T10:47:23.456'],
  ['M[Z]', '2024-05-15T10:47:00'],
  ['D[-05:00]', '2024-05-15T05:00:00'],
  ['n o w\t-\n1 d', '2024-05-14T10:47:23.456'],
  ['NOW+0D', '2024-05-15T10:47:23.456'],
  ['MONTHS', '2024-05-01T00:00:00'],
])('%s is %s', (text, expected) => {
  expect(evaluate(text, { firstMs: utc('2020-02-29T00:00:00'), lastMs: utc('2024-05-10T12:00:00') })).toBe(
    utc(expected),
  );
});

test.each([
  '',
  ' ',
  'X',
  'NOWW',
  'NOW1D',
  'NOW+',
  'NOW+-1D',
  'NOW++1D',
  'NOW-1',
  'NOW-D',
  'NOW-1X',
  'NOW-1.5D',
  'NOW-1234567890D',
  'NOW[10:00]',
  'NOW[+10]',
  'NOW[+24:00]',
  'NOW[+10:60]',
  'NOW[Europe/Paris]',
  'NOW[Z',
  '-1D',
  '1D',
  'NOW,1D',
  `NOW${'+1D'.repeat(200)}`,
])('%j is no relative time', (text) => {
  expect(parseOpc(text)).toBeUndefined();
  expect(() => parseOpcArgument('baseTime', text)).toThrow('baseTime must be a relative time');
});

test.each([
  ['2001-01-10', 1, 'MO', '2001-02-10'],
  ['1999-01-29', 1, 'MO', '1999-02-28'],
  ['2024-02-29', 1, 'Y', '2025-02-28'],
  ['2024-01-31', 1, 'MO', '2024-02-29'],
  ['2023-01-31', 2, 'MO', '2023-03-31'],
  ['2024-03-31', -1, 'MO', '2024-02-29'],
  ['2024-01-15', -13, 'MO', '2022-12-15'],
  ['2024-12-31', 2, 'MO', '2025-02-28'],
] as const)('%s %i %s is %s', (from, amount, unit, expected) => {
  expect(addUnits(utc(`${from}T12:34:56`), amount, unit, UTC_ZONE)).toBe(utc(`${expected}T12:34:56`));
});

test.each([
  // Days keep the wall clock over a change of DST, hours are elapsed time.
  ['America/New_York', '2024-03-09T12:00:00-05:00', 1, 'D', '2024-03-10T12:00:00-04:00'],
  ['America/New_York', '2024-03-09T12:00:00-05:00', 24, 'H', '2024-03-10T13:00:00-04:00'],
  ['America/New_York', '2024-03-09T02:30:00-05:00', 1, 'D', '2024-03-10T03:30:00-04:00'],
  ['America/New_York', '2024-11-02T01:30:00-04:00', 1, 'D', '2024-11-03T01:30:00-04:00'],
  ['America/New_York', '2024-11-04T01:30:00-05:00', -1, 'D', '2024-11-03T01:30:00-04:00'],
  ['Australia/Sydney', '2024-09-06T02:30:00+10:00', 1, 'MO', '2024-10-06T03:30:00+11:00'],
  ['Australia/Sydney', '2024-03-31T12:00:00+11:00', 1, 'W', '2024-04-07T12:00:00+10:00'],
  ['Australia/Lord_Howe', '2024-10-05T02:15:00+10:30', 1, 'D', '2024-10-06T02:45:00+11:00'],
] as const)('in %s %s %i %s is %s', (zone, from, amount, unit, expected) => {
  expect(addUnits(utc(from), amount, unit, zoneOf(zone))).toBe(utc(expected));
});

test.each([
  ['America/New_York', '2024-03-10T15:00:00Z', 'D', '2024-03-10T00:00:00-05:00'],
  ['America/New_York', '2024-11-03T06:40:00Z', 'H', '2024-11-03T06:00:00Z'], // the second 01:40
  ['America/New_York', '2024-11-03T05:40:00Z', 'H', '2024-11-03T05:00:00Z'], // the first 01:40
  ['Australia/Sydney', '2024-05-15T10:47:23Z', 'MO', '2024-05-01T00:00:00+10:00'],
  ['Australia/Sydney', '2024-05-12T15:00:00Z', 'W', '2024-05-13T00:00:00+10:00'], // already Monday there
  ['Australia/Sydney', '2023-12-31T14:00:00Z', 'Y', '2024-01-01T00:00:00+11:00'],
  ['Asia/Kathmandu', '2024-05-15T10:47:23Z', 'H', '2024-05-15T16:00:00+05:45'],
  ['America/Sao_Paulo', '2018-11-04T12:00:00Z', 'D', '2018-11-04T01:00:00-02:00'], // midnight was skipped
] as const)('in %s at %s the %s starts at %s', (zone, at, unit, expected) => {
  expect(startOf(utc(at), unit, zoneOf(zone)).instantMs).toBe(utc(expected));
});

test('weeks start on Monday on each day of a week, also before 1970', () => {
  for (let day = 0; day < 7; day++) {
    expect(startOf(utc('2024-05-13T00:00:00') + day * 86_400_000 + 5, 'W', UTC_ZONE).instantMs).toBe(
      utc('2024-05-13T00:00:00'),
    );
    expect(startOf(utc('1969-12-22T00:00:00') + day * 86_400_000 + 5, 'W', UTC_ZONE).instantMs).toBe(
      utc('1969-12-22T00:00:00'),
    );
  }
});

test('FIRST and LAST are NOW without data and refused without a series', () => {
  expect(evaluate('LAST-1H', { lastMs: null })).toBe(NOW - 3_600_000);
  expect(() => evaluateOpc(parseOpc('FIRST')!, { nowMs: NOW }, 'startTime')).toThrow('startTime must not use FIRST');
});

test.each(['NOW-300Y', 'NOW+999999999Y', 'NOW+999999999W', 'NOW-999999999MO+1D', 'NOW+9000Y'])(
  '%s leaves the years that times may have',
  (text) => {
    expect(() => evaluate(text)).toThrow(DomainError);
  },
);

test.each([
  ['30M', '30M'],
  ['1H30M', '1H30M'],
  ['1D', '1D'],
  ['1mo', '1MO'],
  ['6Y3MO65D8H32M', '6Y3MO65D8H32M'],
  ['32M 8H 65D 3MO 6Y', '6Y3MO65D8H32M'],
  ['2 weeks 1 second', '2W1S'],
  ['1H1H', '2H'],
  ['0D5M', '5M'],
])('the interval %s is written %s', (text, expected) => {
  expect(formatPeriod(parsePeriod(text)!)).toBe(expected);
  expect(parsePeriod(expected)).toEqual(parsePeriod(text));
});

test.each(['', '0D', '0D0H', '-1D', '+1D', '1', 'D', '1D,1H', '1X', '1.5H', '1D'.repeat(11), '1234567890S'])(
  '%j is no interval',
  (text) => {
    expect(parsePeriod(text)).toBeUndefined();
    expect(() => parsePeriodArgument('interval', text)).toThrow('interval must be an interval above 0');
  },
);

test('ten items make an interval', () => {
  expect(formatPeriod(parsePeriod('1D'.repeat(10))!)).toBe('10D');
});

test('a grid is computed from its base in one step and does not drift', () => {
  const base = utc('2023-01-31T00:00:00');
  const month = parsePeriod('1MO')!;
  const grid = [-2, -1, 0, 1, 2, 3].map((k) =>
    new Date(addPeriod(wallTimeOf(base, UTC_ZONE), month, UTC_ZONE, k)).toISOString().slice(0, 10),
  );
  expect(grid).toEqual(['2022-11-30', '2022-12-31', '2023-01-31', '2023-02-28', '2023-03-31', '2023-04-30']);
  const newYork = zoneOf('America/New_York');
  const day = parsePeriod('1D')!;
  const from = wallTimeOf(utc('2024-03-09T00:00:00-05:00'), newYork);
  const hours = [0, 1, 2].map(
    (k) => (addPeriod(from, day, newYork, k + 1) - addPeriod(from, day, newYork, k)) / 3_600_000,
  );
  expect(hours).toEqual([24, 23, 24]);
  expect(addPeriod(wallTimeOf(base, UTC_ZONE), parsePeriod('999999999Y')!, UTC_ZONE, 1e6)).toBeNaN();
});

test('only periods without calendar units have a length', () => {
  expect(elapsedMsOf(parsePeriod('1H30M5S')!)).toBe(5_405_000);
  for (const unit of ['Y', 'MO', 'W', 'D'] satisfies OpcUnit[])
    expect(elapsedMsOf(parsePeriod(`1${unit}`)!)).toBeUndefined();
});

test.each([
  ['2024-01-01', '2023-12-31T13:00:00Z'],
  ['2024-01-01T00:00:00 0200', '2023-12-31T22:00:00Z'],
  ['NOW-1D', '2024-05-14T10:47:23.456Z'],
  ['D', '2024-05-15T00:00:00+10:00'],
  ['NOW 1D', '2024-05-16T10:47:23.456Z'],
  ['MO[ 02:00] 7D', '2024-05-08T00:00:00+02:00'],
])('the time argument %s is %s in Sydney', (text, expected) => {
  expect(parseTimeArgument('startTime', text, { nowMs: NOW, zone: zoneOf('Australia/Sydney') })).toBe(utc(expected));
});

test('a time argument that is neither is refused by its name', () => {
  expect(() => parseTimeArgument('endTime', 'yesterday', { nowMs: NOW })).toThrow(/^endTime must be an ISO 8601/);
  expect(readTimeArgument('endTime', 'LAST')).toMatchObject({ kind: 'relative', expression: { base: 'LAST' } });
});
