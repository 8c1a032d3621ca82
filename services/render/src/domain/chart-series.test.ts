import { chartSeriesOf, type Records, renderingOf, stateIndexOf } from './chart-series.ts';
import type { Parameter } from './parameter.ts';

const state = (name: string, more: object = {}) => ({
  stateId: name,
  name,
  occurrences: 1,
  isAlarm: false,
  categoryId: '',
  notifies: false,
  ...more,
});
const number: Parameter = {
  nodeId: 'n',
  workspaceId: 'w',
  name: 'Level',
  path: 'demo/River/Level',
  units: 'm',
  valueType: 'NUMBER',
  displayType: 'VALUE',
  states: {
    statesType: 'RANGE',
    hysteresis: 0,
    states: [
      state('LOW', { threshold: 1 }),
      state('NORMAL'),
      state('HIGH', { threshold: 3, isAlarm: true, notifies: true }),
    ],
  },
  chart: {},
};
const bool: Parameter = {
  ...number,
  displayType: 'STATE',
  states: {
    statesType: 'DISCRETE',
    hysteresis: 0,
    states: [state('TRUE', { threshold: 1 }), state('FALSE', { threshold: 0 })],
  },
};
const text: Parameter = {
  ...number,
  valueType: 'TEXT',
  states: {
    statesType: 'DISCRETE',
    hysteresis: 0,
    states: [state('wet', { textThreshold: 'rain' }), state('cold', { textThreshold: '/^(snow|ice)/' })],
  },
};
const range = { startMs: 0, endMs: 100 };
const records = (values: number[], times = values.map((_, i) => i * 10)): Records => ({
  timestamps: Float64Array.from(times),
  values: Float64Array.from(values),
});

test.each([
  ['numbers as values', number, {}, { kind: 'VALUES', isRelative: false }],
  ['numbers of displayType STATE as steps', bool, {}, { kind: 'STEPS' }],
  ['what renderType asks for', bool, { renderType: 'VALUE' }, { kind: 'VALUES' }],
  ['what renderType asks for', number, { renderType: 'STATE' }, { kind: 'STEPS', settings: { lineType: 'STEP_LEFT' } }],
  ['texts as flags, whatever is asked', text, { renderType: 'VALUE' }, { kind: 'FLAGS' }],
  [
    'a baseline of the settings',
    { ...number, chart: { aggregation: { baselineType: 'RELATIVE' } } },
    {},
    { isRelative: true },
  ],
  [
    'a baseline of the arguments before it',
    { ...number, chart: { aggregation: { baselineType: 'RELATIVE' } } },
    { baselineType: 'ABSOLUTE' },
    { isRelative: false },
  ],
  [
    'no baseline where states are shown',
    { ...bool, chart: { aggregation: { baselineType: 'RELATIVE' } } },
    {},
    { isRelative: false },
  ],
] as const)('shows %s', (_what, parameter, asked, expected) => {
  expect(renderingOf(parameter, asked)).toMatchObject(expected);
});

test.each([
  ['text', text, {}],
  ['states', bool, {}],
  ['states asked for', number, { renderType: 'STATE' as const }],
])('refuses a relative baseline of %s', (_what, parameter, asked) => {
  expect(() => renderingOf(parameter, { ...asked, baselineType: 'RELATIVE' })).toThrow('baselineType must be ABSOLUTE');
});

test.each([
  [number, 0.5, 0],
  [number, 2, 1],
  [number, 3, 2],
  [number, Number.NaN, -1],
  [bool, 1, 0],
  [bool, 0.5, -1],
  [text, 'light rain', 0],
  [text, 'snowing', 1],
  [text, 'dry', -1],
])('state of a value by its position', (parameter, value, expected) => {
  expect(stateIndexOf(parameter, value)).toBe(expected);
});

test('a relative series begins at 0 and has no thresholds', () => {
  const series = chartSeriesOf(
    number,
    renderingOf(number, { baselineType: 'RELATIVE' }),
    records([9, Number.NaN, 5, 8], [-10, 0, 10, 20]),
    range,
  );
  expect(series.data).toEqual({ kind: 'VALUES', values: Float64Array.of(4, Number.NaN, 0, 3) });
  expect(series.settings.stateThresholds).toBe('NONE');
});

test('steps stand in the order of their thresholds, records without state are gaps', () => {
  const series = chartSeriesOf(bool, renderingOf(bool, {}), records([1, 0, 0.5]), range);
  expect(series.states.map(({ name }) => name)).toEqual(['FALSE', 'TRUE']);
  expect(series.data).toEqual({ kind: 'STEPS', stateIndexes: Int32Array.of(1, 0, -1) });
  expect(series.units).toBe('');
});

test('name, path, units, states and qualities come along', () => {
  const series = chartSeriesOf(
    number,
    renderingOf(number, {}),
    { ...records([1]), qualities: Int32Array.of(149) },
    range,
  );
  expect(series).toMatchObject({ name: 'Level', path: 'demo/River/Level', units: 'm', qualities: Int32Array.of(149) });
  expect(series.states).toEqual([
    { name: 'LOW', threshold: 1, isAlarm: false, notifies: false },
    { name: 'NORMAL', isAlarm: false, notifies: false },
    { name: 'HIGH', threshold: 3, isAlarm: true, notifies: true },
  ]);
});
