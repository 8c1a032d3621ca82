import type { NotifyMode, StoredState } from '@catchment/states';
import { dueByStates, dueOf } from './due-notifications.ts';

const state = (name: string, notify: NotifyMode = 'ALWAYS'): StoredState => ({
  _id: name,
  index: 0,
  name,
  threshold: null,
  occurrences: 1,
  isAlarm: false,
  notify,
  categoryId: `${name} category`,
  messageAway: `${name} away`,
  messageTowards: `${name} towards`,
  qualityCode: null,
  description: '',
});

/** Messages of what is due, each with the category of its state. */
const messages = (due: ReturnType<typeof dueByStates>): string[] => {
  for (const { message, categoryId } of due) expect(categoryId).toBe(`${message.split(' ')[0]} category`);
  return due.map(({ message }) => message);
};

const step = (statesType: string, states: StoredState[], from: string | undefined, to: string | undefined) =>
  messages(
    dueByStates(
      statesType,
      states,
      states.find(({ name }) => name === from),
      states.find(({ name }) => name === to),
    ),
  );

const RANGE = ['LOWEST', 'LOW', 'NORMAL', 'HIGH', 'HIGHEST'];

test.each([
  ['further up', 'HIGH', 'HIGHEST', ['HIGHEST away']],
  ['further down', 'LOW', 'LOWEST', ['LOWEST away']],
  ['nearer from above', 'HIGHEST', 'HIGH', ['HIGHEST towards']],
  ['nearer from below', 'LOWEST', 'LOW', ['LOWEST towards']],
  ['into NORMAL', 'HIGH', 'NORMAL', ['HIGH towards', 'NORMAL away']],
  ['into NORMAL, past HIGH', 'HIGHEST', 'NORMAL', ['HIGHEST towards', 'NORMAL away']],
  ['into NORMAL from below', 'LOW', 'NORMAL', ['LOW towards', 'NORMAL away']],
  ['out of NORMAL', 'NORMAL', 'HIGH', ['NORMAL towards', 'HIGH away']],
  ['out of NORMAL, past LOW', 'NORMAL', 'LOWEST', ['NORMAL towards', 'LOWEST away']],
  ['across, upwards', 'LOW', 'HIGH', ['LOW towards', 'HIGH away']],
  ['across, downwards', 'HIGHEST', 'LOWEST', ['HIGHEST towards', 'LOWEST away']],
  ['no change', 'HIGH', 'HIGH', []],
])('RANGE %s: %s to %s notifies %j', (_what, from, to, expected) => {
  expect(
    step(
      'RANGE',
      RANGE.map((name) => state(name)),
      from,
      to,
    ),
  ).toEqual(expected);
});

test.each([
  ['NEVER', 'NEVER', 'NORMAL', 'HIGH', []],
  ['AWAY_FROM_NORMAL', 'NEVER', 'NORMAL', 'HIGH', ['HIGH away']],
  ['TOWARDS_NORMAL', 'NEVER', 'NORMAL', 'HIGH', []],
  ['ALWAYS', 'NEVER', 'NORMAL', 'HIGH', ['HIGH away']],
  ['NEVER', 'NEVER', 'HIGH', 'NORMAL', []],
  ['AWAY_FROM_NORMAL', 'NEVER', 'HIGH', 'NORMAL', []],
  ['TOWARDS_NORMAL', 'NEVER', 'HIGH', 'NORMAL', ['HIGH towards']],
  ['ALWAYS', 'NEVER', 'HIGH', 'NORMAL', ['HIGH towards']],
  ['NEVER', 'ALWAYS', 'NORMAL', 'HIGH', ['NORMAL towards']],
  ['NEVER', 'ALWAYS', 'HIGH', 'NORMAL', ['NORMAL away']],
] as const)('RANGE, HIGH %s and NORMAL %s: %s to %s notifies %j', (high, normal, from, to, expected) => {
  expect(step('RANGE', [state('NORMAL', normal), state('HIGH', high)], from, to)).toEqual(expected);
});

test.each([
  ['A', 'B', ['A towards', 'B away']],
  [undefined, 'B', ['B away']],
  ['A', undefined, ['A towards']],
  ['B', 'A', ['B towards', 'A away']],
])('DISCRETE: %s to %s notifies %j', (from, to, expected) => {
  expect(step('DISCRETE', [state('A'), state('B')], from, to)).toEqual(expected);
});

test('it does not matter whether a state is an alarm', () => {
  const states = [state('NORMAL', 'NEVER'), { ...state('HIGH'), isAlarm: true }];
  expect(step('RANGE', states, 'NORMAL', 'HIGH')).toEqual(['HIGH away']);
});

test.each([
  ['NEVER', 'AWAY', 0],
  ['NEVER', 'TOWARDS', 0],
  ['AWAY_FROM_NORMAL', 'AWAY', 1],
  ['AWAY_FROM_NORMAL', 'TOWARDS', 0],
  ['TOWARDS_NORMAL', 'AWAY', 0],
  ['TOWARDS_NORMAL', 'TOWARDS', 1],
  ['ALWAYS', 'AWAY', 1],
  ['ALWAYS', 'TOWARDS', 1],
] as const)('an alarm with %s that goes %s makes %i due', (notify, direction, count) => {
  expect(dueOf(state('outdated', notify), direction)).toHaveLength(count);
});

test('without a category nobody can have asked for it', () => {
  expect(dueOf({ ...state('A'), categoryId: null }, 'AWAY')).toEqual([]);
});
