import { defaultStates, type StoredState } from '@catchment/states';
import { transitionOf } from './transition.ts';

const [plain] = defaultStates('NUMBER', () => 'id').states as [StoredState];
const state = (name: string): StoredState => ({ ...plain, _id: name, name });
const STATES = ['NORMAL', 'HIGH', 'LOW'].map(state);

const step = (from: string | undefined, to: string | undefined) => ({
  alarmType: 'stateAlarm',
  alarmStateTo: 'ACTIVE',
  ...(from !== undefined && { stateFrom: { stateId: from } }),
  ...(to !== undefined && { stateTo: { stateId: to } }),
});
const named = (name: string | undefined) => STATES.find((state) => state.name === name);

test.each([
  ['NORMAL', 'HIGH'],
  ['LOW', undefined],
  [undefined, 'LOW'],
])('from %s to %s', (from, to) => {
  expect(transitionOf(step(from, to), STATES)).toEqual({
    kind: 'state',
    from: named(from),
    to: named(to),
  });
});

test('a state that has another name since is found', () => {
  const [normal, high] = [state('NORMAL'), { ...state('HIGH'), name: 'Flood' }];
  expect(transitionOf(step('NORMAL', 'HIGH'), [normal, high])).toEqual({
    kind: 'state',
    from: normal,
    to: high,
  });
});

test.each([
  ['ACTIVE', true],
  ['CLEARED', false],
])('another alarm, now %s', (alarmStateTo, isRaised) => {
  expect(transitionOf({ alarmType: 'dataAlarm', alarmStateTo }, [])).toEqual({
    kind: 'alarm',
    alarmType: 'dataAlarm',
    isRaised,
  });
});

test.each([
  ['a state that is gone', step('NORMAL', 'GONE')],
  ['an alarm that this release does not know', { alarmType: 'tideAlarm', alarmStateTo: 'ACTIVE' }],
])('nothing has happened to %s', (_what, transition) => {
  expect(transitionOf(transition, STATES)).toBeUndefined();
});
