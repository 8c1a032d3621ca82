import { defaultStates, type StoredState } from '@catchment/states';
import { type Edges, NO_EDGES } from './edges.ts';
import { NO_REPORT, type ShownInputs, shownOf } from './shown.ts';

const [NORMAL] = defaultStates('NUMBER', () => 'normal').states as [StoredState];
const RANGE = {
  statesType: 'RANGE',
  states: [NORMAL, { ...NORMAL, _id: 'high', index: 1, name: 'HIGH', threshold: 5 }],
} as const;
const DISCRETE = {
  statesType: 'DISCRETE',
  states: [{ ...NORMAL, _id: 'seven', name: 'SEVEN', threshold: 7 }],
} as const;

const at = (ms: number, value: number | string) => ({ ms, value, quality: null });
const edges = (value: number | string): Edges => ({ ...NO_EDGES, current: at(20, value), oldest: at(10, value) });
const shown = (value: number | string, config: object, reported: string | null = NO_REPORT) =>
  shownOf({ class: 'point.NumberPoint', config, reported } as ShownInputs, edges(value));

test.each([
  ['is stored as it is shown', {}, 7, 7],
  ['has multiplier and offset, multiplier first', { multiplier: 2, offset: 1 }, 3, 7],
  ['has the equation instead of both', { multiplier: 2, offset: 1, equation: 'x^2' }, 3, 9],
  ['is nothing where the equation gives no number', { equation: 'ln(x)' }, 0, null],
  ['is nothing beyond all numbers', { multiplier: 10 }, 1e308, null],
])('a number %s', (_what, config, value, number) => {
  expect(shown(value, config).current.number).toBe(number);
});

test.each([
  ['by the value, while alarms has said nothing', RANGE, NO_REPORT, 'high'],
  ['as alarms has said', RANGE, 'normal', 'normal'],
  ['by the value, where the state is gone', RANGE, 'low', 'high'],
  ['none, where alarms has said so of DISCRETE', DISCRETE, '', null],
  ['by the value, where RANGE has replaced DISCRETE since', RANGE, '', 'high'],
])('the current state is %s; that of the oldest record is by its value', (_what, config, reported, stateId) => {
  expect([shown(7, config, reported).current.stateId, shown(7, config, reported).oldest.stateId]).toEqual([
    stateId,
    config === RANGE ? 'high' : 'seven',
  ]);
});

test('texts have states and no number, other values neither', () => {
  const config = { statesType: 'DISCRETE', states: [{ ...NORMAL, _id: 'rain', threshold: '/^r.in$/' }] };
  expect(shown('rain', config).oldest).toEqual({ number: null, stateId: 'rain' });
  const inputs = { class: 'location.Location', config: {}, reported: NO_REPORT };
  const current = { ms: 1, value: [1, 2] as const, quality: null };
  expect(shownOf(inputs, { ...NO_EDGES, current }).current).toEqual({ number: null, stateId: null });
});

test.each([
  ['source.data.Jts', {}, 'IDLE'],
  ['source.data.Jts', { scheduleType: 'SERVER' }, 'SCHEDULED'],
  ['source.data.Processor', { scheduleType: 'SERVER', isEnabled: false }, 'DISABLED'],
  ['point.NumberPoint', {}, null],
])('the status of a %s with %j is %s', (cls, config, status) => {
  expect(shownOf({ class: cls, config, reported: NO_REPORT } as ShownInputs, NO_EDGES).status).toBe(status);
});
