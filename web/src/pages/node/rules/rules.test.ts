import { nextState } from '@catchment/states/evaluation';
import { matchState } from '@catchment/states/match';
import { keyed, spread } from './handles.ts';
import { added, categoriesIn, type FormState, firstStates, readingOrder, sideOf } from './list.ts';
import { disorderOf, placed } from './order.ts';
import { niceStep, rounded } from './steps.ts';
import { configOf, visitsOf } from './visits.ts';

const LOW: FormState = { name: 'LOW', threshold: 20 };
const NORMAL: FormState = { name: 'NORMAL', threshold: null };
const HIGH: FormState = { name: 'HIGH', threshold: 50 };
const TOP: FormState = { name: 'CRITICAL', threshold: 100, occurrences: 2, isAlarm: true };
const ALL = [LOW, NORMAL, HIGH, TOP];

test.each([
  [0.03, 0.05],
  [0.1, 0.1],
  [1.2, 2],
  [7, 10],
  [4_000, 5_000],
  [0, 1],
  [Number.NaN, 1],
  [Number.POSITIVE_INFINITY, 1],
])('the step for at least %s is %s', (least, expected) => {
  expect(niceStep(least)).toBe(expected);
});

test.each([
  [0.30000000000000004, 0.1, 0.3],
  [2.37, 0.05, 2.35],
  [-7, 5, -5],
  [12_345, 200, 12_400],
])('%s stands at steps of %s on %s', (value, step, expected) => {
  expect(rounded(value, step)).toBe(expected);
});

test.each([
  ['between its neighbours', 2, 61.3, 1, { threshold: 61 }],
  [
    'past the one above',
    2,
    130,
    1,
    { threshold: 99, stop: { side: 'above', neighbour: { name: 'CRITICAL', threshold: 100 } } },
  ],
  [
    'onto the one above',
    2,
    100,
    1,
    { threshold: 99, stop: { side: 'above', neighbour: { name: 'CRITICAL', threshold: 100 } } },
  ],
  [
    'past the one below, NORMAL between',
    2,
    3,
    5,
    { threshold: 25, stop: { side: 'below', neighbour: { name: 'LOW', threshold: 20 } } },
  ],
  ['the last one, without an end', 3, 4_000, 1, { threshold: 4_000 }],
  [
    'where no step fits between',
    2,
    400,
    200,
    { threshold: 50, stop: { side: 'above', neighbour: { name: 'CRITICAL', threshold: 100 } } },
  ],
])('a threshold of a range is moved %s', (_where, index, wanted, step, expected) => {
  expect(placed(ALL, 'RANGE', index, wanted, step)).toEqual(expected);
});

test('single values have no order, and no two are the same', () => {
  const states = [
    { name: 'OPEN', threshold: 5 },
    { name: 'SHUT', threshold: 1 },
  ];
  expect(placed(states, 'DISCRETE', 1, 9, 1)).toEqual({ threshold: 9 });
  const equal = { side: 'equal', neighbour: { name: 'OPEN', threshold: 5 } };
  expect(placed(states, 'DISCRETE', 1, 5, 1)).toEqual({ threshold: 1, stop: equal });
  expect(disorderOf([states[0]!, { name: 'SHUT', threshold: 5 }], 'DISCRETE', 1)).toEqual(equal);
});

test.each([
  [120, { side: 'above', neighbour: { name: 'CRITICAL', threshold: 100 } }],
  [20, { side: 'below', neighbour: { name: 'LOW', threshold: 20 } }],
  [60, undefined],
  ['', undefined],
])('a threshold that is typed as %s is out of order: %j', (threshold, expected) => {
  expect(disorderOf(ALL.with(2, { ...HIGH, threshold }), 'RANGE', 2)).toEqual(expected);
});

test('a new state stands beyond all others of its side, with a name that is free', () => {
  const shown = { low: 0, high: 80 };
  expect(added(ALL, 'RANGE', 1, shown, 2).at(-1)).toMatchObject({ name: 'HIGH 2', threshold: 110 });
  expect(added(ALL, 'RANGE', -1, shown, 2)[0]).toMatchObject({ name: 'LOW 2', threshold: 0 });
  expect(added(firstStates('RANGE'), 'RANGE', 1, shown, 5)).toMatchObject([NORMAL, { name: 'HIGH', threshold: 80 }]);
  expect(added([], 'DISCRETE', 1, undefined, 1)).toMatchObject([{ name: 'STATE', threshold: 0 }]);
});

test('states of a range are read from the top, and lie on a side of NORMAL', () => {
  expect(readingOrder(ALL, 'RANGE')).toEqual([3, 2, 1, 0]);
  expect(readingOrder(ALL, 'DISCRETE')).toEqual([0, 1, 2, 3]);
  expect(ALL.map((_, i) => sideOf(ALL, 'RANGE', i))).toEqual([-1, 0, 1, 1]);
});

test('people are notified by the categories of what notifies and is switched on', () => {
  const states = [
    { ...HIGH, notify: 'ALWAYS', categoryId: 'a' },
    { ...TOP, notify: 'NEVER', categoryId: 'b' },
  ];
  const alarms = {
    dataAlarm: { config: { isEnabled: true, notify: 'AWAY_FROM_NORMAL', categoryId: 'c' } },
    qualityAlarm: { config: { isEnabled: false, notify: 'ALWAYS', categoryId: 'd' } },
    stateAlarm: null,
  };
  expect(categoriesIn(states, alarms)).toEqual(['a', 'c']);
});

const RULE = { next: nextState, match: matchState };
/** Makes a record a minute, from minute 0. */
const minutes = (...values: (number | string)[]) => values.map((value, i) => ({ ms: i * 60_000, value }));
const count = (
  states: readonly FormState[],
  statesType: string,
  hysteresis: number,
  values: (number | string)[],
  from = 0,
) =>
  visitsOf(RULE, configOf(states, statesType, hysteresis), minutes(...values), {
    from: from * 60_000,
    to: 3_600_000,
  }).map(({ entries, ms }) => [entries, ms / 60_000]);

test.each([
  [
    'hysteresis keeps a state',
    2,
    [45, 50, 49, 47],
    0,
    [
      [0, 0],
      [1, 1],
      [1, 2],
      [0, 0],
    ],
  ],
  [
    'occurrences make it wait',
    2,
    [100, 60, 100, 100],
    0,
    [
      [0, 0],
      [0, 0],
      [0, 3],
      [1, 0],
    ],
  ],
  [
    'across NORMAL',
    2,
    [60, 20, 22, 23],
    0,
    [
      [1, 2],
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  ],
  [
    'what the time begins with was not entered in it',
    0,
    [45, 60, 60, 45, 60],
    2,
    [
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 0],
    ],
  ],
  [
    'no record, no state',
    0,
    [],
    0,
    [
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  ],
])('of a range is counted: %s', (_what, hysteresis, values, from, expected) => {
  expect(count(ALL, 'RANGE', hysteresis, values, from)).toEqual(expected);
});

test('of texts is counted what contains the threshold, or what its expression finds', () => {
  const states = [
    { name: 'FAULT', threshold: 'err' },
    { name: 'PUMP', threshold: '/^pump [0-9]+$/' },
  ];
  expect(count(states, 'DISCRETE', 0, ['ok', 'pump 12', 'pump 12 err', 'stderr', 'pump 1'])).toEqual([
    [1, 2],
    [2, 1],
  ]);
});

test('a state that is half typed is never entered', () => {
  expect(count([NORMAL, { name: 'NEW', threshold: '' }], 'RANGE', 0, [1, 2, 3])).toEqual([
    [0, 2],
    [0, 0],
  ]);
});

test.each([
  ['apart, they stand beside their lines', [10, 50, 90], [10, 50, 90]],
  ['near each other, they make room downwards', [50, 52, 54], [50, 70, 90]],
  ['at the lower edge, upwards', [85, 88, 95], [50, 70, 90]],
  ['outside of the chart, at its edge', [-40, 300], [10, 90]],
  ['in any order', [90, 10, 50], [90, 10, 50]],
])('labels of lines: %s', (_what, places, expected) => {
  expect(spread(places, 20, 0, 100)).toEqual(expected);
});

test.each([
  ['ArrowUp', false, 1],
  ['ArrowLeft', false, -1],
  ['ArrowDown', true, -10],
  ['PageUp', false, 10],
  ['Home', false, 'least'],
  ['End', false, 'most'],
  ['a', false, undefined],
])('the key %s, far: %s, moves a threshold by %s', (key, isFar, expected) => {
  expect(keyed(key, isFar)).toBe(expected);
});
