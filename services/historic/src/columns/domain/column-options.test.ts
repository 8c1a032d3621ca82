import { namedColumns } from './column-options.ts';
import { readOptions } from './read-options.ts';

const read = (given: Record<string, string>) => readOptions(given, 0);
const [A, B] = ['a'.repeat(24), 'b'.repeat(24)];
const refused = (message: string) =>
  expect.objectContaining({ kind: 'invalid_argument', message: expect.stringContaining(message) });

test.each([
  ['average', 'AVERAGE'],
  ['MINIMUM', 'MIN'],
  ['Maximum', 'MAX'],
  ['INTERPOLATED', 'INTERPOLATED'],
])('aggregate %s is %s, with its base and interval', (aggregate, expected) => {
  const options = read({ aggregate, baseTime: ' d+9h ', interval: '90M1H', intervalInclude: 'complete' });
  expect(options.aggregate).toBe(expected);
  expect(options.periodic).toMatchObject({
    aggregate: expected,
    isComplete: true,
    shown: { baseTime: 'd+9h', interval: '1H90M' },
  });
});

test.each([
  ['baseTime: must be given', { interval: '1H' }],
  ['baseTime: must be given', { interval: '1H', baseTime: '' }],
  ['interval: must be given', { baseTime: 'D' }],
  ['baseTime must be a relative time', { baseTime: '2024-01-01', interval: '1H' }],
  ['interval must be an interval above 0', { baseTime: 'D', interval: '0H' }],
  ['interval must be an interval above 0', { baseTime: 'D', interval: '-1H' }],
  ['interval must be an interval above 0', { baseTime: 'D', interval: '1H 30' }],
  ['intervalInclude: must be one of', { baseTime: 'D', interval: '1H', intervalInclude: 'SOME' }],
  ['timeQuery: MODIFIED', { baseTime: 'D', interval: '1H', timeQuery: 'MODIFIED' }],
])('%s', (message, given: Record<string, string>) => {
  expect(() => read({ aggregate: 'AVERAGE', ...given })).toThrow(refused(message));
});

test.each([
  [undefined, 'percentile: must be given with aggregate PERCENTILE, such as 90'],
  ['', 'percentile: must be given with aggregate PERCENTILE, such as 90'],
  ['-1', 'percentile: must be a number from 0 to 100'],
  ['100.1', 'percentile: must be a number from 0 to 100'],
  ['ninety', 'percentile: must be a number from 0 to 100'],
  ['NaN', 'percentile: must be a number from 0 to 100'],
])('a percentile %j is refused', (percentile, message) => {
  const given = {
    aggregate: 'PERCENTILE',
    baseTime: 'D',
    interval: '1H',
    ...(percentile !== undefined && { percentile }),
  };
  expect(() => read(given)).toThrow(refused(message));
});

test.each([
  ['4', 1],
  ['7', 1],
  ['2000', 500],
  ['64000', 16_000],
])('maxPoints %s keeps the outstanding records of %d columns of pixels', (maxPoints, m4Columns) => {
  expect(read({ maxPoints })).toMatchObject({ m4Columns, reducedBy: 'maxPoints' });
});

test.each<[string, Record<string, string>]>([
  ['maxPoints: must be a whole number from 4 to 64000', { maxPoints: '3' }],
  ['maxPoints: must be a whole number from 4 to 64000', { maxPoints: '64001' }],
  ['maxPoints: must be a whole number from 4 to 64000', { maxPoints: 'NaN' }],
  ['maxPoints: must not be given with reduce', { reduce: 'M4', width: '9' }],
  ['maxPoints: is of raw records, without an aggregate', { aggregate: 'CHANGE' }],
  ['maxPoints: is of raw records, without an aggregate', { aggregate: 'MAX', baseTime: 'D', interval: '1H' }],
  ['limit: must not be given with maxPoints', { limit: '5' }],
  ['timeQuery: must be RECORD with maxPoints', { timeQuery: 'MODIFIED' }],
])('%s: %j', (message, given) => {
  expect(() => read({ maxPoints: '100', ...given })).toThrow(refused(message));
});

test.each([
  [{ layout: 'LONG' }, 'layout: LONG is a layout of format=CSV'],
  [{ layout: 'LONG', format: 'PARQUET' }, 'layout: LONG is a layout of format=CSV'],
  [{ layout: 'TALL', format: 'CSV' }, 'layout: must be one of WIDE, LONG'],
  [{ format: 'XLSX' }, 'format: must be one of JSON, CSV, ARROW, PARQUET, RDB, WATERML2, COVJSON'],
])('%j is refused', (given: Record<string, string>, message) => {
  expect(() => read(given)).toThrow(refused(message));
});

test('a percentile is shown with its intervals; other aggregates ignore one, as CHANGE ignores an interval', () => {
  const given = { baseTime: 'D', interval: '1H', percentile: '99.50' };
  expect(read({ ...given, aggregate: 'percentile' }).periodic).toMatchObject({
    percentile: 99.5,
    shown: { percentile: 99.5, baseTime: 'D', interval: '1H' },
  });
  expect(read({ ...given, aggregate: 'MAX', percentile: 'x' }).periodic?.shown).toEqual({
    baseTime: 'D',
    interval: '1H',
  });
});

test('an unknown aggregate is answered with those that there are', () => {
  const names = 'CIRCULAR_MEAN, TIME_WEIGHTED_MEAN, PERCENTILE, STDDEV, COUNTER_INCREASE, COUNTER_RATE';
  expect(() => read({ aggregate: 'MODE' })).toThrow(refused(names));
});

test('CHANGE needs no interval and ignores a wrong one, but no modified time', () => {
  expect(read({ aggregate: 'CHANGE', interval: 'x', baseTime: 'x' })).toMatchObject({
    aggregate: 'CHANGE',
    periodic: undefined,
  });
  expect(() => read({ aggregate: 'CHANGE', timeQuery: 'MODIFIED' })).toThrow(refused('timeQuery: MODIFIED'));
  expect(() => read({ intervalInclude: 'SOME' })).toThrow(refused('intervalInclude: must be one of'));
});

test('entries of params are columns; what they leave out, or empty, is as given for all', () => {
  const given = { aggregate: 'MAX', baseTime: 'D', interval: '1H', renderFormat: '0.0' };
  const params = `${A}(aggregate:MIN;renderFormat:),@rain,${B}(interval:;baseTime:MO;aggregate:NONE),${A}`;
  const columns = namedColumns({ ...given, params }, 'RECORD');
  expect(columns.map(({ nodeRef }) => nodeRef)).toEqual([A, '@rain', B, A]);
  expect(
    columns.map(({ options }) => [options.aggregate, options.periodic?.shown.interval, options.renderFormat]),
  ).toEqual([
    ['MIN', '1H', ''],
    ['MAX', '1H', '0.0'],
    ['NONE', undefined, '0.0'],
    ['MAX', '1H', '0.0'],
  ]);
});

test.each([
  ['params: must name', {}],
  ['params: must name', { params: '' }],
  ['params must name each node', { params: 'rain' }],
  ['params must use the keys', { params: `${A}(columnIndex:1)` }],
  ['params must use the keys', { params: `${A}(constructor:1)` }],
  ['params must have at most 100', { params: Array(101).fill(A).join(',') }],
  ['params must have balanced', { params: `${A}(aggregate:MAX` }],
  ['aggregate: must be one of', { params: `${A}(aggregate:MODE)` }],
  ['percentile: must be given', { params: `${A}(aggregate:PERCENTILE;interval:1H;baseTime:D)` }],
  ['baseTime: must be given', { params: `${A}(aggregate:MAX;interval:1H)` }],
  ['timeQuery: MODIFIED', { params: `${A}(aggregate:CHANGE)`, timeQuery: 'MODIFIED' }],
])('%s', (message, given: Record<string, string>) => {
  expect(() => namedColumns(given, given.timeQuery === 'MODIFIED' ? 'MODIFIED' : 'RECORD')).toThrow(refused(message));
});
