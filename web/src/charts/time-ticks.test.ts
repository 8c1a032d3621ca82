import { zoneOf } from '../format/zone.ts';
import { tickLabels, timeStep, timeTicks } from './time-ticks.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NEW_YORK = zoneOf('America/New_York', true, 2018);
const isos = (ticks: readonly number[]) => ticks.map((ms) => new Date(ms).toISOString().slice(0, 16));

test.each([
  ['a second', 1_000, 8, { ms: 200 }],
  ['an hour', HOUR, 8, { ms: 600_000 }],
  ['a day', DAY, 8, { ms: 3 * HOUR }],
  ['a week', 7 * DAY, 8, { ms: DAY }],
  ['a month', 31 * DAY, 5, { ms: 7 * DAY }],
  ['a year', 365 * DAY, 5, { months: 3 }],
  ['a century', 36_525 * DAY, 6, { months: 240 }],
  ['more than all', 1e8 * DAY, 5, { months: 1_200 }],
  ['no room at all', DAY, 0, { ms: DAY }],
])('the step for %s', (_what, span, most, expected) => {
  expect(timeStep(0, span, most)).toEqual(expected);
});

test('marks stand at midnights of the zone', () => {
  const ticks = timeTicks(Date.UTC(2018, 5, 15), Date.UTC(2018, 5, 17, 12), { ms: DAY }, NEW_YORK);
  expect(isos(ticks)).toEqual(['2018-06-15T04:00', '2018-06-16T04:00', '2018-06-17T04:00']);
});

test('on days with 23 and 25 hours too', () => {
  const spring = timeTicks(Date.UTC(2018, 2, 10, 12), Date.UTC(2018, 2, 12, 12), { ms: DAY }, NEW_YORK);
  expect(isos(spring)).toEqual(['2018-03-11T05:00', '2018-03-12T04:00']);
  const hours = timeTicks(Date.UTC(2018, 2, 11, 5), Date.UTC(2018, 2, 11, 9), { ms: HOUR }, NEW_YORK);
  expect(isos(hours)).toEqual([
    '2018-03-11T05:00',
    '2018-03-11T06:00',
    '2018-03-11T07:00',
    '2018-03-11T08:00',
    '2018-03-11T09:00',
  ]);
  const autumn = timeTicks(Date.UTC(2018, 10, 4, 3), Date.UTC(2018, 10, 4, 9), { ms: HOUR }, NEW_YORK);
  expect(autumn).toEqual([...autumn].sort((a, b) => a - b));
  expect(new Set(autumn).size).toBe(autumn.length);
  expect(isos(autumn)).toContain('2018-11-04T07:00');
});

test('weeks begin on Mondays, months on the first', () => {
  expect(
    isos(timeTicks(Date.UTC(2018, 5, 1), Date.UTC(2018, 5, 20), { ms: 7 * DAY }, zoneOf('Etc/UTC', true, 2018))),
  ).toEqual(['2018-06-04T00:00', '2018-06-11T00:00', '2018-06-18T00:00']);
  expect(
    isos(timeTicks(Date.UTC(2017, 10, 5), Date.UTC(2018, 6, 1), { months: 3 }, zoneOf('Etc/UTC', true, 2018))),
  ).toEqual(['2018-01-01T00:00', '2018-04-01T00:00', '2018-07-01T00:00']);
});

test('a label names the day or the year where it changes', () => {
  const UTC = zoneOf('Etc/UTC', true, 2018);
  const start = Date.UTC(2018, 5, 15, 12);
  expect(
    tickLabels([start, start + 6 * HOUR, start + 12 * HOUR], { ms: 6 * HOUR }, UTC).map(
      (text) => text.split('\n').length,
    ),
  ).toEqual([2, 1, 2]);
  expect(tickLabels([Date.UTC(2017, 11, 1), Date.UTC(2018, 0, 1)], { months: 1 }, UTC)).toEqual([
    'Dec\n2017',
    'Jan\n2018',
  ]);
  expect(tickLabels([Date.UTC(1990, 0, 1)], { months: 120 }, UTC)).toEqual(['1990']);
  expect(tickLabels([], { ms: DAY }, UTC)).toEqual([]);
});
