import type { SeriesConfig } from '@catchment/contracts/nodes';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import type { StoredRecord } from '../../records/domain/record-set.ts';
import { readOptions } from './read-options.ts';
import { viewOf } from './series-view.ts';

const view = (series: Partial<SeriesConfig>, options: Record<string, string> = {}) =>
  viewOf(seriesNode({ series }), readOptions(options, 0));
const json = (
  series: Partial<SeriesConfig>,
  records: Partial<StoredRecord>[],
  options: Record<string, string> = {},
) => {
  const set = recordSet(series.valueType ?? TYPES.NUMBER, records);
  const shown = view(series, options);
  return records.map((_, index) => shown.json(set, index));
};
const csv = (series: Partial<SeriesConfig>, records: Partial<StoredRecord>[], options: Record<string, string> = {}) => {
  const set = recordSet(series.valueType ?? TYPES.NUMBER, records);
  const shown = view(series, options);
  return records.map((_, index) => shown.csv(set, index).text);
};
const numbers = (...values: (number | undefined)[]) => values.map((number) => ({ number }));
const state = (name: string, threshold?: number) => ({
  stateId: name,
  name,
  threshold,
  textThreshold: undefined,
  occurrences: 1,
  isAlarm: false,
  notify: 'NEVER',
  categoryId: '',
  messageAway: '',
  messageTowards: '',
  qualityCode: undefined,
});
const RANGE = { statesType: 'RANGE', states: [state('NORMAL'), state('HIGH', 10)] };

test('numbers are transformed, multiplier first, and a number without value has none', () => {
  expect(json({ multiplier: 2, offset: 1 }, numbers(5, undefined, -0.5))).toEqual(['11', undefined, '0']);
});

test('an equation takes the place of multiplier and offset; what it leaves no number has no value', () => {
  const squared = { multiplier: 2, offset: 1, equation: '12 - 1/x' };
  expect(json(squared, numbers(0.25, 0, 1, undefined))).toEqual(['8', undefined, '11', undefined]);
  expect(csv(squared, numbers(0.25, 0, 1))).toEqual(['8', '', '11']);
  const states = { ...RANGE, ...squared, displayType: 'STATE' };
  expect(json(states, numbers(0.25, 0, 1))).toEqual(['"NORMAL"', undefined, '"HIGH"']);
});

test('a mean direction just below a whole turn is 0, and one that there is none of has no value', () => {
  const mean = { aggregate: 'CIRCULAR_MEAN', interval: '1H', baseTime: 'D' };
  const given = numbers(359.96, undefined, 359.94);
  expect(json({ format: '0.0' }, given, mean)).toEqual(['0', undefined, '359.9']);
  expect(csv({ format: '0.0' }, given, mean)).toEqual(['0.0', '', '359.9']);
});

test('a transform over all bounds gives no value', () => {
  expect(json({ multiplier: 1e200 }, numbers(1e200, 1))).toEqual([undefined, '1e+200']);
});

test.each([
  ['the format of the node', { format: '0.0' }, {}, ['1234.6', '0'], ['1234.6', '0.0']],
  [
    'renderFormat before it',
    { format: '0.0' },
    { renderFormat: '#,##0.00' },
    ['1234.57', '0.04'],
    ['1,234.57', '0.04'],
  ],
  [
    'renderFormat empty: in full',
    { format: '0.0' },
    { renderFormat: '' },
    ['1234.5678', '0.04'],
    ['1234.5678', '0.04'],
  ],
  ['an invalid format of the node: in full', { format: '0#' }, {}, ['1234.5678', '0.04'], ['1234.5678', '0.04']],
])('%s', (_what, series, options, inJson, inCsv) => {
  expect(json(series, numbers(1234.5678, 0.04), options)).toEqual(inJson);
  expect(csv(series, numbers(1234.5678, 0.04), options)).toEqual(inCsv);
});

test('the first value there is becomes the baseline', () => {
  const values = numbers(undefined, 5.5, 7, undefined, 4);
  expect(json({ multiplier: 2 }, values, { baselineType: 'relative' })).toEqual([undefined, '0', '3', undefined, '-3']);
  expect(csv({ format: '0.0' }, values, { baselineType: 'RELATIVE' })).toEqual(['', '0.0', '1.5', '', '-1.5']);
});

test('a value without bounds is no baseline', () => {
  expect(json({ multiplier: 1e300 }, numbers(1e300, 1, 1), { baselineType: 'RELATIVE' })).toEqual([
    undefined,
    '0',
    '0',
  ]);
});

test('states are matched after the transform', () => {
  const series = { ...RANGE, multiplier: 10 };
  expect(json(series, numbers(1, 0.5, undefined), { renderType: 'STATE' })).toEqual(['"HIGH"', '"NORMAL"', undefined]);
});

test('displayType is the default of renderType, where there can be states', () => {
  expect(view({ ...RANGE, displayType: 'STATE' }).renderType).toBe('STATE');
  expect(view({ ...RANGE, displayType: 'STATE' }, { renderType: 'VALUE' }).renderType).toBe('VALUE');
  expect(view({ valueType: TYPES.TIME, displayType: 'STATE' }).renderType).toBe('VALUE');
});

test('no state has no value', () => {
  const discrete = { statesType: 'DISCRETE', states: [state('ONE', 1)] };
  expect(json(discrete, numbers(1, 2), { renderType: 'STATE' })).toEqual(['"ONE"', undefined]);
});

test('texts, times and coordinates', () => {
  const TIME = { valueType: TYPES.TIME };
  const PLACE = { valueType: TYPES.COORDINATES };
  expect(json({ valueType: TYPES.TEXT }, [{ text: 'a"\n' }, {}, { text: '' }])).toEqual(['"a\\"\\n"', undefined, '""']);
  expect(json(TIME, [{ number: 0 }, {}])).toEqual(['{"$time":"1970-01-01T00:00:00.000Z"}', undefined]);
  expect(json(TIME, [{ number: 0 }], { timezone: 'Australia/Brisbane', renderFormat: 'YYYY' })).toEqual([
    '{"$time":"1970-01-01T10:00:00.000+10:00"}',
  ]);
  expect(csv(TIME, [{ number: 0 }, {}], { renderFormat: 'DD/MM/YYYY HH:mm' })).toEqual(['01/01/1970 00:00', '']);
  expect(csv({ ...TIME, format: 'YYYY' }, [{ number: 0 }])).toEqual(['1970']);
  expect(json(PLACE, [{ number: -33.5, longitude: 151 }, {}])).toEqual(['{"$coords":[-33.5,151]}', undefined]);
  expect(csv(PLACE, [{ number: -33.5, longitude: 151 }, {}])).toEqual(['-33.5/151', '']);
});

test('texts and coordinates have no format', () => {
  expect(view({ valueType: TYPES.TEXT, format: '0.0' }, { renderFormat: '0' }).format).toBe('');
  expect(view({ valueType: TYPES.COORDINATES }, { renderFormat: '0' }).format).toBe('');
});

test.each<[string, Partial<SeriesConfig>, Record<string, string>, string]>([
  ['STATE of times', { valueType: TYPES.TIME }, { renderType: 'STATE' }, 'renderType: STATE needs a number or text'],
  ['STATE of a Location', { valueType: TYPES.COORDINATES }, { renderType: 'STATE' }, 'renderType: STATE needs'],
  [
    'a baseline of texts',
    { valueType: TYPES.TEXT },
    { baselineType: 'RELATIVE' },
    'baselineType: RELATIVE needs a number',
  ],
  ['a baseline of states', RANGE, { baselineType: 'RELATIVE', renderType: 'STATE' }, 'baselineType: RELATIVE needs'],
  [
    'a baseline of what is shown as states',
    { ...RANGE, displayType: 'STATE' },
    { baselineType: 'RELATIVE' },
    'baselineType:',
  ],
  ['an invalid renderFormat', {}, { renderFormat: '0#' }, 'renderFormat: must be a number pattern such as #,##0.00'],
])('%s is refused', (_what, series, options, message) => {
  expect(() => view(series, options)).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message: expect.stringContaining(message) }),
  );
});
