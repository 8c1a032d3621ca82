import type { DomainError } from '@catchment/errors';
import {
  type ChartArguments,
  checkChartNodeArguments,
  evaluateRange,
  needsEdges,
  parameterRange,
  readChartArguments,
} from './chart-arguments.ts';

const NOW = Date.parse('2024-05-15T10:47:23.456Z');
const RANGE = { startTime: '2024-05-01T00:00:00Z', endTime: '2024-05-02T00:00:00Z' };
const read = (raw: Record<string, string>) => readChartArguments(raw, NOW);
const rangeOf = (asked: ChartArguments) => ({ ...parameterRange(asked), zone: asked.zone });

test('the defaults are those of the API', () => {
  const asked = read(RANGE);
  expect(asked).toMatchObject({ format: 'PNG', width: 1200, height: 800, scale: 1, zoneLabel: 'Etc/UTC' });
  expect(asked).not.toHaveProperty('title');
  expect(evaluateRange(rangeOf(asked), { nowMs: NOW })).toEqual({
    startMs: Date.parse(RANGE.startTime),
    endMs: Date.parse(RANGE.endTime),
  });
});

test.each([
  [
    'any letter case of words',
    { format: 'svg', aggregate: 'none', renderType: 'state' },
    { format: 'SVG', renderType: 'STATE' },
  ],
  ['the smallest and largest size', { width: '100', height: '4000' }, { width: 100, height: 4000 }],
  ['a fraction as scale', { scale: '2.5' }, { scale: 2.5 }],
  ['200 characters of title, counted as characters', { title: '𝔘'.repeat(200) }, { title: '𝔘'.repeat(200) }],
  ['an empty argument as absent', { width: '', format: '', aggregate: '' }, { width: 1200, format: 'PNG' }],
  ['names it does not know', { colour: 'red', __proto__: 'x' }, { width: 1200 }],
])('accepts %s', (_what, raw, expected) => {
  expect(read({ ...RANGE, ...raw })).toMatchObject(expected);
});

test.each([
  ['width', { width: '99' }],
  ['width', { width: '4001' }],
  ['width', { width: '1e3' }],
  ['width', { width: '800.5' }],
  ['height', { height: '-100' }],
  ['height', { height: 'tall' }],
  ['scale', { scale: '5' }],
  ['scale', { scale: '0.5' }],
  ['scale', { scale: 'NaN' }],
  ['format', { format: 'GIF' }],
  ['title', { title: 'x'.repeat(201) }],
  ['subtitle', { subtitle: 'x'.repeat(201) }],
  ['timezone', { timezone: 'Mars/Olympus' }],
  ['timezoneAdjustForDst', { timezoneAdjustForDst: '1' }],
  ['startTime', { startTime: '' }],
  ['endTime', { endTime: '' }],
  ['startTime', { startTime: 'yesterday' }],
  ['endTime', { endTime: '2024-02-30T00:00:00Z' }],
  ['startTime', { startTime: '2024-05-03T00:00:00Z' }],
  ['startTime', { startTime: 'NOW', endTime: 'NOW-1D' }],
  ['renderType', { renderType: 'PICTURE' }],
  ['baselineType', { baselineType: 'NONE' }],
  ['baseTime', { aggregate: 'AVERAGE', interval: '1H' }],
  ['interval', { aggregate: 'start', baseTime: 'D' }],
  ['aggregate', { aggregate: 'NONSENSE' }],
  ['percentile', { aggregate: 'PERCENTILE', baseTime: 'D', interval: '1H' }],
  ['percentile', { aggregate: 'PERCENTILE', percentile: '101', baseTime: 'D', interval: '1H' }],
  ['interval', { interval: '0H' }],
  ['baseTime', { baseTime: '1H' }],
  ['intervalInclude', { intervalInclude: 'SOME' }],
])('refuses a bad %s by name: %j', (name, raw) => {
  expect.assertions(2);
  try {
    parameterRange(read({ ...RANGE, ...raw }));
  } catch (error) {
    expect((error as DomainError).kind).toBe('invalid_argument');
    expect((error as DomainError).message).toMatch(new RegExp(`^${name}\\b`));
  }
});

test('a refused format names the offered ones', () => {
  expect(() => read({ ...RANGE, format: 'GIF' })).toThrow('format: must be one of PNG, JPG, SVG, PDF');
});

test.each([['startTime'], ['endTime']])('a parameter needs %s', (name) => {
  const { [name as keyof typeof RANGE]: _left, ...rest } = RANGE;
  expect(() => parameterRange(read(rest))).toThrow(`${name} must be given`);
});

test.each([
  ['TRUE', 'America/New_York', 'America/New_York', '2024-05-15T04:00:00.000Z'],
  ['FALSE', 'UTC-05:00', '-05:00', '2024-05-15T05:00:00.000Z'],
])('times without zone and relative times follow the effective zone, DST %s', (adjust, zoneLabel, zone, startIso) => {
  const asked = read({
    startTime: 'D',
    endTime: '2024-05-16T00:00',
    timezone: 'america/new_york',
    timezoneAdjustForDst: adjust,
  });
  expect(asked).toMatchObject({ zoneLabel, zone: { name: zone } });
  expect(new Date(evaluateRange(rangeOf(asked), { nowMs: NOW }).startMs).toISOString()).toBe(startIso);
});

test('FIRST and LAST wait for the series', () => {
  const asked = read({ startTime: 'FIRST', endTime: 'LAST+1H' });
  expect(needsEdges(parameterRange(asked))).toBe(true);
  expect(evaluateRange(rangeOf(asked), { nowMs: NOW, firstMs: 1_000, lastMs: 2_000 })).toEqual({
    startMs: 1_000,
    endMs: 3_602_000,
  });
  expect(needsEdges(parameterRange(read(RANGE)))).toBe(false);
});

test.each([
  ['nothing', {}, undefined],
  ['intervals alone', { baseTime: 'D', interval: '1H' }, undefined],
  ['NONE', { aggregate: 'none', baseTime: 'D', interval: '1H' }, { aggregate: 'NONE' }],
  ['CHANGE', { aggregate: 'CHANGE' }, { aggregate: 'CHANGE' }],
  [
    'an aggregate of intervals',
    { aggregate: 'maximum', baseTime: 'D+9H', interval: '1H', intervalInclude: 'complete' },
    { aggregate: 'MAX', baseTime: 'D+9H', interval: '1H', intervalInclude: 'complete' },
  ],
  [
    'a percentile',
    { aggregate: 'percentile', percentile: '90', baseTime: 'D', interval: '1H' },
    { aggregate: 'PERCENTILE', percentile: '90', baseTime: 'D', interval: '1H' },
  ],
])('what is to be aggregated: %s', (_what, raw, expected) => {
  expect(read({ ...RANGE, ...raw }).aggregation).toEqual(expected);
});

test.each(['renderType', 'aggregate', 'percentile', 'baseTime', 'interval', 'intervalInclude', 'baselineType'])(
  'a chart node takes no %s',
  (name) => {
    expect(() => checkChartNodeArguments({ ...RANGE, [name]: 'NONE' })).toThrow(`${name} must not be given`);
    expect(() => checkChartNodeArguments(RANGE)).not.toThrow();
  },
);
