import { timeAxis } from './time-axis.ts';

const ms = (iso: string): number => Date.parse(iso);
const labels = (from: string, to: string, zone: string, max: number): string[] =>
  timeAxis(ms(from), ms(to), zone, max).ticks.map(({ label }) => label);

test.each([
  [
    'a second',
    '2024-05-15T10:00:00Z',
    '2024-05-15T10:00:01Z',
    5,
    ['10:00:00.000', '10:00:00.200', '10:00:00.400', '10:00:00.600', '10:00:00.800', '10:00:01.000'],
  ],
  [
    'a minute',
    '2024-05-15T10:00:00Z',
    '2024-05-15T10:01:00Z',
    4,
    ['10:00:00', '10:00:15', '10:00:30', '10:00:45', '10:01:00'],
  ],
  ['an odd hour', '2024-05-15T10:07:00Z', '2024-05-15T11:07:00Z', 4, ['10:15', '10:30', '10:45', '11:00']],
  ['a day', '2024-05-15T00:00:00Z', '2024-05-16T00:00:00Z', 4, ['00:00', '06:00', '12:00', '18:00', '00:00']],
  [
    'a week',
    '2024-05-13T00:00:00Z',
    '2024-05-20T00:00:00Z',
    8,
    ['13 May', '14 May', '15 May', '16 May', '17 May', '18 May', '19 May', '20 May'],
  ],
  ['weeks begin on Monday', '2024-05-01T00:00:00Z', '2024-06-01T00:00:00Z', 6, ['6 May', '13 May', '20 May', '27 May']],
  ['a year', '2024-01-01T00:00:00Z', '2024-12-31T00:00:00Z', 4, ['Jan', 'Apr', 'Jul', 'Oct']],
  ['decades', '1990-06-01T00:00:00Z', '2024-06-01T00:00:00Z', 4, ['2000', '2010', '2020']],
  ['the widest range', '1800-01-01T00:00:00Z', '9998-12-31T00:00:00Z', 5, ['2000', '4000', '6000', '8000']],
])('%s has ticks at round times', (_what, from, to, max, expected) => {
  expect(labels(from, to, 'UTC', max)).toEqual(expected);
});

test.each([
  [
    'an hour that DST skips has no tick',
    '2024-03-10T05:00:00Z',
    '2024-03-10T09:00:00Z',
    ['00:00', '01:00', '03:00', '04:00', '05:00'],
  ],
  [
    'an hour that occurs twice has two',
    '2024-11-03T04:00:00Z',
    '2024-11-03T08:00:00Z',
    ['00:00', '01:00', '01:00', '02:00', '03:00'],
  ],
])('in New York %s', (_what, from, to, expected) => {
  expect(labels(from, to, 'America/New_York', 5)).toEqual(expected);
});

test('a day that a zone left out has no tick of its own', () => {
  const days = labels('2011-12-28T10:00:00Z', '2012-01-01T10:00:00Z', 'Pacific/Apia', 5);
  expect(days).toEqual(['28 Dec', '29 Dec', '31 Dec', '1 Jan', '2 Jan']);
});

test('six-hour ticks stay on the wall clock across a DST change', () => {
  const { ticks } = timeAxis(ms('2024-03-09T05:00:00Z'), ms('2024-03-11T04:00:00Z'), 'America/New_York', 8);
  expect(ticks.map(({ label }) => label)).toEqual([
    '00:00',
    '06:00',
    '12:00',
    '18:00',
    '00:00',
    '06:00',
    '12:00',
    '18:00',
    '00:00',
  ]);
  expect(ticks[5]?.t).toBe(ms('2024-03-10T10:00:00Z'));
});

test.each([
  ['a fixed offset', '+10:00', ['00:00', '06:00', '12:00', '18:00', '00:00']],
  ['a zone of half an hour', 'Asia/Kolkata', ['00:00', '06:00', '12:00', '18:00']],
  ['a zone of three quarters', 'Asia/Kathmandu', ['00:00', '06:00', '12:00', '18:00']],
])('%s puts midnight where its clocks say', (_what, zone, expected) => {
  const { ticks } = timeAxis(ms('2024-05-14T14:00:00Z'), ms('2024-05-15T14:00:00Z'), zone, 4);
  expect(ticks.map(({ label }) => label).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ['hours name their days', '2024-05-15T18:00:00Z', '2024-05-16T06:00:00Z', 5, ['15 May 2024', '16 May 2024']],
  ['days name their year', '2023-12-30T00:00:00Z', '2024-01-03T00:00:00Z', 5, ['2023', '2024']],
  ['years need no more', '2000-01-01T00:00:00Z', '2024-01-01T00:00:00Z', 5, []],
])('in the second row %s', (_what, from, to, max, expected) => {
  expect(timeAxis(ms(from), ms(to), 'UTC', max).contexts.map(({ label }) => label)).toEqual(expected);
});

test.each([
  [1, 2],
  [999, 3],
  [7 * 86_400_000, 10],
  [400 * 86_400_000, 12],
  [3e13, 4],
])('a range of %i ms has at most about %i ticks, all inside', (range, max) => {
  const start = ms('2021-02-03T04:05:06.789Z');
  const { ticks } = timeAxis(start, start + range, 'Europe/Berlin', max);
  expect(ticks.length).toBeLessThanOrEqual(max + 2);
  for (const { t } of ticks) {
    expect(t).toBeGreaterThanOrEqual(start);
    expect(t).toBeLessThanOrEqual(start + range);
  }
});
