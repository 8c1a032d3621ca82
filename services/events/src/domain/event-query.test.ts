import { readEventQuery } from './event-query.ts';

const NOW = Date.UTC(2024, 4, 15, 10, 47, 23, 456);
const BOUNDS = { startTime: '2016-01-01', endTime: '2017-01-01' };

test.each([
  ['nothing', {}, 1_000],
  ['start only', { startTime: '2016-01-01' }, 1_000],
  ['end only', { endTime: '2016-01-01' }, 1_000],
  ['both bounds', BOUNDS, 10_000],
  ['an empty limit', { limit: '' }, 1_000],
  ['a limit beside both bounds', { ...BOUNDS, limit: '7' }, 7],
  ['the largest', { limit: '10000' }, 10_000],
] as [string, Record<string, string>, number][])('limit with %s', (_what, given, limit) => {
  expect(readEventQuery(given, NOW).limit).toBe(limit);
});

test.each([
  ['startTime', { startTime: 'yesterday' }],
  ['startTime', { startTime: '1799-12-31' }],
  ['endTime', { endTime: '2016-02-30' }],
  ['startTime', { startTime: '2016-01-02', endTime: '2016-01-01' }],
  ['startTime', { startTime: 'LAST-1D' }],
  ['endTime', { endTime: 'NOW--1D' }],
  ['limit', { limit: '0' }],
  ['limit', { limit: '10001' }],
  ['limit', { limit: 'all' }],
  ['skip', { skip: '-1' }],
  ['sort', { sort: 'eventTime(UP)' }],
  ['filter', { filter: 'level' }],
] as [string, Record<string, string>][])('refuses a wrong %s: %j', (argument, given) => {
  expect(() => readEventQuery(given, NOW)).toThrow(expect.objectContaining({ kind: 'invalid_argument' }));
  expect(() => readEventQuery(given, NOW)).toThrow(new RegExp(`^${argument}\\b`));
});

test.each([
  ['NOW-1D', Date.UTC(2024, 4, 14, 10, 47, 23, 456)],
  ['D', Date.UTC(2024, 4, 15)],
  ['2014-10-09T20:38:10 0200', Date.UTC(2014, 9, 9, 18, 38, 10)],
  ['1800-01-01', Date.UTC(1800, 0, 1)],
])('startTime=%s', (startTime, startMs) => {
  expect(readEventQuery({ startTime }, NOW).startMs).toBe(startMs);
});

test('bounds may be equal', () => {
  const query = readEventQuery({ startTime: '2016-01-01', endTime: '2016-01-01' }, NOW);
  expect(query.startMs).toBe(query.endMs);
});
