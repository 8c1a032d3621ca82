import { seedOf } from '@catchment/testkit/amount';
import {
  compareSeverity,
  matchState,
  nextState as nextBy,
  qualityCodeFor,
  type State,
  type StatesConfig,
} from './index.ts';

const nextState = (config: StatesConfig, current: string | undefined, history: readonly (number | string)[]) =>
  nextBy(config, current, history, (value) => matchState(config, value));

const state = (name: string, threshold?: number | string, more: Partial<State> = {}): State => ({
  stateId: name,
  name,
  ...(typeof threshold === 'number' ? { threshold } : {}),
  ...(typeof threshold === 'string' ? { textThreshold: threshold } : {}),
  occurrences: 1,
  isAlarm: false,
  ...more,
});
const range = (states: State[], hysteresis = 0): StatesConfig => ({ statesType: 'RANGE', states, hysteresis });
const discrete = (...states: State[]): StatesConfig => ({ statesType: 'DISCRETE', states, hysteresis: 0 });

/** Returns the states that a series of values goes through, as the alarms service would evaluate them one by one. */
function run(config: StatesConfig, values: readonly (number | string)[], start?: string): (string | undefined)[] {
  let current = start;
  return values.map((_, i) => {
    current = nextState(config, current, values.slice(Math.max(0, i - 14), i + 1))?.stateId;
    return current;
  });
}

const worked = range(
  [state('LOW', 20), state('NORMAL'), state('HIGH', 50), state('CRITICAL', 100, { occurrences: 2, isAlarm: true })],
  2,
);
const plain = range([state('LOLO', 1), state('LOW', 6), state('NORMAL'), state('HIGH', 8), state('HIHI', 10)], 0.25);

test.each([
  [
    [45, 50, 49, 47],
    ['NORMAL', 'HIGH', 'HIGH', 'NORMAL'],
  ],
  [
    [120, 101, 99, 97, 49, 47],
    ['HIGH', 'CRITICAL', 'CRITICAL', 'HIGH', 'HIGH', 'NORMAL'],
  ],
  [
    [60, 20, 22, 23],
    ['HIGH', 'LOW', 'LOW', 'NORMAL'],
  ],
])('worked example in docs/reference/states.md#evaluation: %j gives %j', (values, expected) => {
  expect(run(worked, values)).toEqual(expected);
});

test.each([
  ['is active at its threshold', [8], ['HIGH']],
  ['stays inside the hysteresis', [8, 7.75], ['HIGH', 'HIGH']],
  ['leaves below the hysteresis', [8, 7.74], ['HIGH', 'NORMAL']],
  ['low mirrors high', [6, 6.25, 6.26], ['LOW', 'LOW', 'NORMAL']],
  ['hysteresis does not delay entering', [7.9], ['NORMAL']],
  ['jumps to the most extreme state', [11], ['HIHI']],
  ['falls back by one state', [11, 9.74], ['HIHI', 'HIGH']],
  ['crosses to the other side', [11, 0.5, 11], ['HIHI', 'LOLO', 'HIHI']],
] as const)('RANGE: %s', (_what, values, expected) => {
  expect(run(plain, values)).toEqual(expected);
});

test('a hysteresis wider than the gap between the sides does not hide the other side', () => {
  expect(run(range([state('LOW', 6), state('NORMAL'), state('HIGH', 8)], 5), [8, 5, 7, 8])).toEqual([
    'HIGH',
    'LOW',
    'LOW',
    'HIGH',
  ]);
});

test('occurrences are counted over all values at or beyond, also those of a more extreme state', () => {
  const config = range([state('NORMAL'), state('HIGH', 5, { occurrences: 3 }), state('HIHI', 9, { occurrences: 2 })]);
  expect(run(config, [5, 6, 9, 9])).toEqual(['NORMAL', 'NORMAL', 'HIGH', 'HIHI']);
  expect(run(config, [5, 6, 4, 5, 6, 7])).toEqual(['NORMAL', 'NORMAL', 'NORMAL', 'NORMAL', 'NORMAL', 'HIGH']);
  expect(run(config, [7, 7, 7, 4])).toEqual(['NORMAL', 'NORMAL', 'HIGH', 'NORMAL']);
});

test('15 occurrences are reached with 15 values', () => {
  const config = range([state('NORMAL'), state('HIGH', 5, { occurrences: 15 })]);
  expect(run(config, new Array(15).fill(6)).slice(-2)).toEqual(['NORMAL', 'HIGH']);
});

test.each([
  [undefined, 7, 'NORMAL'],
  ['', 7, 'NORMAL'],
  ['GONE', 7.9, 'NORMAL'],
  ['GONE', 8, 'HIGH'],
])('an unknown current state %j counts as NORMAL at %j', (current, value, expected) => {
  expect(nextState(plain, current, [value])?.stateId).toBe(expected);
});

test.each([
  ['empty history', []],
  ['not a number', [Number.NaN]],
  ['infinite', [Number.POSITIVE_INFINITY]],
  ['a text', ['9']],
])('%s leaves the state as it is', (_what, history) => {
  expect(nextState(plain, 'HIGH', history)?.stateId).toBe('HIGH');
});

test.each([
  [7, 'NORMAL'],
  [8, 'HIGH'],
  [9.999, 'HIGH'],
  [10, 'HIHI'],
  [6, 'LOW'],
  [6.001, 'NORMAL'],
  [1, 'LOLO'],
  [-1e300, 'LOLO'],
  [Number.NaN, undefined],
  ['8', undefined],
])('RANGE without memory: %j is %j', (value, expected) => {
  expect(matchState(plain, value)?.name).toBe(expected);
});

const numbers = discrete(state('ONE', 1), state('BIG', 1e12), state('ZERO', 0), state('THIRD', 1 / 3));
test.each([
  [1, 'ONE'],
  [1 + 0.9e-9, 'ONE'],
  [1 + 2e-9, undefined],
  [1e12 + 900, 'BIG'],
  [1e12 + 2000, undefined],
  [0, 'ZERO'],
  [-0, 'ZERO'],
  [1e-12, undefined],
  [0.3333333333333, 'THIRD'],
  [-1, undefined],
])('DISCRETE number: %j is %j', (value, expected) => {
  expect(matchState(numbers, value)?.name).toBe(expected);
});

const texts = discrete(
  state('ERROR', 'fail'),
  state('CODE', '/^E[0-9]{2}$/'),
  state('ANY', '/warn|alert/'),
  state('PATH', '/var'),
  state('SLASHES', '//'),
  state('BROKEN', '/(/'),
);
test.each([
  ['it failed', 'ERROR'],
  ['it FAILED', undefined],
  ['E42', 'CODE'],
  ['E421', undefined],
  ['an alert', 'ANY'],
  ['fail with alert', 'ERROR'],
  ['/var/log', 'PATH'],
  ['http://x', 'SLASHES'],
  ['(', undefined],
  ['', undefined],
])('DISCRETE text: %j is %j', (value, expected) => {
  expect(matchState(texts, value)?.name).toBe(expected);
});

test('an expression that is exponential elsewhere is answered in linear time', () => {
  const began = process.threadCpuUsage();
  expect(matchState(discrete(state('X', '/(a+)+$/')), `${'a'.repeat(9_999)}b`)).toBeUndefined();
  const { user, system } = process.threadCpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(1000);
});

test.each([
  ['accepts at once', discrete(state('A', 1), state('B', 2)), [1, 2, 3, 1], ['A', 'B', undefined, 'A']],
  [
    'waits for its occurrences and keeps the state until then',
    discrete(state('A', 1), state('B', 2, { occurrences: 2 })),
    [1, 2, 2, 1],
    ['A', 'A', 'B', 'A'],
  ],
  [
    'counts stateless matches, so another state in between starts anew',
    discrete(state('A', 1), state('B', 2, { occurrences: 3 })),
    [2, 2, 1, 2, 2, 2],
    [undefined, undefined, 'A', 'A', 'A', 'B'],
  ],
] as const)('DISCRETE: %s', (_what, config, values, expected) => {
  expect(run(config, values)).toEqual(expected);
});

test('a series without states has none', () => {
  const none = { statesType: '', states: [], hysteresis: 0 };
  expect(matchState(none, 1)).toBeUndefined();
  expect(nextState(none, undefined, [1])).toBeUndefined();
  expect(nextState(discrete(), 'X', [1])).toBeUndefined();
});

test('the quality code is that of the stateless match', () => {
  const config = range([state('NORMAL'), state('HIGH', 8, { occurrences: 15, qualityCode: 160 })]);
  expect(qualityCodeFor(config, 9)).toBe(160);
  expect(qualityCodeFor(config, 7)).toBeUndefined();
});

test.each([
  ['NORMAL', 'HIGH', 'escalate'],
  [undefined, 'LOW', 'escalate'],
  ['HIGH', 'HIHI', 'escalate'],
  ['LOW', 'LOLO', 'escalate'],
  ['LOLO', 'HIGH', 'escalate'],
  ['HIHI', 'HIGH', 'deescalate'],
  ['LOLO', 'LOW', 'deescalate'],
  ['HIGH', 'NORMAL', 'deescalate'],
  ['HIGH', undefined, 'deescalate'],
  ['HIGH', 'HIGH', 'none'],
  [undefined, 'NORMAL', 'none'],
])('RANGE from %j to %j: %s', (from, to, expected) => {
  expect(compareSeverity(plain, from, to)).toBe(expected);
});

test.each([
  ['ONE', 'BIG', 'escalate'],
  ['BIG', 'ONE', 'escalate'],
  [undefined, 'ONE', 'escalate'],
  ['ONE', undefined, 'deescalate'],
  ['ONE', 'ONE', 'none'],
  [undefined, undefined, 'none'],
])('DISCRETE from %j to %j: %s', (from, to, expected) => {
  expect(compareSeverity(numbers, from, to)).toBe(expected);
});

test('agrees with a naive reading of the rules on random configurations', () => {
  const seed = seedOf('STATES_SEED');
  let random = seed;
  const pick = (count: number) => {
    random = (random * 48_271) % 2_147_483_647;
    return random % count;
  };
  for (let round = 0; round < 2000; round++) {
    const lows = pick(3);
    const highs = pick(3);
    const states: State[] = [];
    for (let i = 0; i < lows; i++) states.push(state(`L${i}`, 3 * i - 10, { occurrences: 1 + pick(3) }));
    states.push(state('NORMAL'));
    for (let i = 0; i < highs; i++) states.push(state(`H${i}`, 3 * i + 2, { occurrences: 1 + pick(3) }));
    const config = range(states, pick(3));
    const values = Array.from({ length: 30 }, () => pick(25) - 14);
    expect([seed, round, run(config, values)]).toEqual([seed, round, naive(config, values)]);
  }
});

/** Sets and maxima over the whole list instead of walks; severity is the distance from NORMAL in the list. */
function naive({ states, hysteresis }: StatesConfig, values: readonly number[]): string[] {
  const normal = states.findIndex(({ name }) => name === 'NORMAL');
  let s = normal;
  return values.map((v, i) => {
    const sign = (k: number) => Math.sign(k - normal);
    const most = (candidates: number[]) =>
      candidates.reduce((best, k) => (Math.abs(k - normal) > Math.abs(best - normal) ? k : best), normal);
    const all = states.map((_, k) => k).filter((k) => k !== normal);
    const beyond = (k: number, x: number, slack: number) =>
      sign(k) > 0 ? x >= states[k]!.threshold! - slack : x <= states[k]!.threshold! + slack;
    const held = all.filter((k) => sign(k) === sign(s) && Math.abs(k - normal) <= Math.abs(s - normal));
    const keep = most(held.filter((k) => beyond(k, v, hysteresis)));
    const entered = all.filter((k) => {
      const window = values.slice(Math.max(0, i + 1 - states[k]!.occurrences), i + 1);
      return window.length === states[k]!.occurrences && window.every((x) => beyond(k, x, 0));
    });
    const candidates = entered.filter((k) => sign(k) !== sign(keep) || Math.abs(k - normal) > Math.abs(keep - normal));
    s = candidates.length > 0 ? most(candidates) : keep;
    return states[s]!.name;
  });
}
