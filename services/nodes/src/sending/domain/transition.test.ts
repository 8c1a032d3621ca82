import { defaultStates, type StoredState } from '@catchment/states';
import { type AlarmEvent, transitionOf } from './transition.ts';

const [plain] = defaultStates('NUMBER', () => 'id').states as [StoredState];
const state = (name: string): StoredState => ({ ...plain, _id: name, name });
const STATES = ['NORMAL', 'HIGH', 'A to B', 'B'].map(state);

const event = (message: string, more: Partial<AlarmEvent> = {}): AlarmEvent => ({
  eventId: 'e',
  nodeId: 'n',
  eventType: 'ACQUISITION',
  alarmState: 'ACTIVE',
  timeMs: 0,
  username: 'System',
  message,
  ...more,
});

test.each([
  ['State changed from NORMAL to HIGH', 'NORMAL', 'HIGH'],
  ['State changed from HIGH to NONE', 'HIGH', undefined],
  ['State changed from NONE to HIGH', undefined, 'HIGH'],
  ['State changed from A to B to HIGH', 'A to B', 'HIGH'],
  ['State changed from HIGH to A to B', 'HIGH', 'A to B'],
])('%s', (message, from, to) => {
  for (const alarmState of ['NONE', 'ACTIVE', 'CLEARED'])
    expect(transitionOf(event(message, { eventType: 'STATE', alarmState }), STATES)).toEqual({
      kind: 'state',
      from: STATES.find(({ name }) => name === from),
      to: STATES.find(({ name }) => name === to),
    });
});

test.each([
  ['Communications failed: no answer', 'Communications restored', 'communicationsAlarm'],
  ['Configuration failed: refused', 'Configuration recovered', 'configurationAlarm'],
  ['Control failed: refused', 'Control recovered', 'controlAlarm'],
  ['Data invalid: 3 records', 'Data valid', 'dataAlarm'],
  ['No new data received for 2 days', 'Up to date after 2 days', 'outdatedAlarm'],
  ['Overload: 12 records discarded', 'Overload cleared', 'overloadAlarm'],
  ['Process failed: division by zero', 'Process recovered', 'processAlarm'],
  ['Quality is BAD: Missing [157]', 'Quality is GOOD', 'qualityAlarm'],
])('%s; %s: %s', (raised, cleared, alarmType) => {
  expect(transitionOf(event(raised), [])).toEqual({ kind: 'alarm', alarmType, isRaised: true });
  expect(transitionOf(event(cleared, { alarmState: 'CLEARED' }), [])).toEqual({
    kind: 'alarm',
    alarmType,
    isRaised: false,
  });
});

test.each([
  [
    'an acknowledged alarm',
    event("Acknowledged alarm 'DATA'", {
      eventType: 'CONFIGURATION',
      alarmState: 'ACKNOWLEDGED',
      username: 'jo@example.org',
    }),
  ],
  [
    'an alarm that was cleared by hand',
    event("Cleared alarm 'DATA'", { eventType: 'CONFIGURATION', alarmState: 'CLEARED', username: 'jo@example.org' }),
  ],
  [
    'an alarm that was switched off by the system',
    event("Cleared alarm 'DATA'", { eventType: 'CONFIGURATION', alarmState: 'CLEARED' }),
  ],
  ['an event of somebody that looks like one', event('Data invalid: x', { username: 'jo@example.org' })],
  ['an event that changes no state', event('Processed 3 records from API', { alarmState: 'NONE' })],
  ['states that have other names since', event('State changed from OLD to HIGH', { eventType: 'STATE' })],
])('%s is no transition', (_what, given) => expect(transitionOf(given, STATES)).toBeUndefined());

describe('an event that reports its transition by fields', () => {
  const stateEvent = (transition: AlarmEvent['transition']) =>
    event('Whatever it says', { eventType: 'STATE', transition });
  const step = (from: string | undefined, to: string | undefined) => ({
    alarmType: 'stateAlarm',
    alarmStateTo: 'ACTIVE',
    ...(from !== undefined && { stateFrom: { stateId: from } }),
    ...(to !== undefined && { stateTo: { stateId: to } }),
  });
  const named = (name: string | undefined) => STATES.find((state) => state.name === name);

  test.each([
    ['NORMAL', 'HIGH'],
    ['A to B', undefined],
    [undefined, 'B'],
  ])('from %s to %s', (from, to) => {
    expect(transitionOf(stateEvent(step(from, to)), STATES)).toEqual({
      kind: 'state',
      from: named(from),
      to: named(to),
    });
  });

  test('finds a state that has another name since', () => {
    const [normal, high] = [state('NORMAL'), { ...state('HIGH'), name: 'Flood' }];
    expect(transitionOf(stateEvent(step('NORMAL', 'HIGH')), [normal, high])).toEqual({
      kind: 'state',
      from: normal,
      to: high,
    });
  });

  test.each([
    ['ACTIVE', true],
    ['CLEARED', false],
  ])('of another alarm, now %s', (alarmStateTo, isRaised) => {
    expect(transitionOf(stateEvent({ alarmType: 'dataAlarm', alarmStateTo }), [])).toEqual({
      kind: 'alarm',
      alarmType: 'dataAlarm',
      isRaised,
    });
  });

  test.each([
    ['a state that is gone', step('NORMAL', 'GONE')],
    ['an alarm that this release does not know', { alarmType: 'tideAlarm', alarmStateTo: 'ACTIVE' }],
  ])('says nothing of %s', (_what, transition) => {
    expect(transitionOf(stateEvent(transition), STATES)).toBeUndefined();
  });
});
