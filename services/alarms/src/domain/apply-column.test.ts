import { transformOf, UNTRANSFORMED } from '@catchment/equation';
import { applyColumn, type NotifyRule } from './apply-column.ts';
import { stateAlarmTrigger, stateChangedText } from './conditions/state-step.ts';
import { EMPTY_HISTORY } from './history.ts';
import { type AlarmingState, type Series, type SeriesRules, silentState } from './series.ts';

const state = (name: string, threshold?: number, more: Partial<AlarmingState> = {}): AlarmingState => ({
  stateId: name.toLowerCase(),
  name,
  threshold,
  occurrences: 1,
  isAlarm: false,
  categoryId: '',
  messageAway: '',
  messageTowards: '',
  ...more,
});
/** See docs/reference/states.md#evaluation. */
const rules: SeriesRules = {
  statesType: 'RANGE',
  states: [
    state('LOW', 20),
    state('NORMAL'),
    state('HIGH', 50),
    state('CRITICAL', 100, { occurrences: 2, isAlarm: true }),
  ],
  hysteresis: 2,
  transform: transformOf(UNTRANSFORMED),
};
const START: Series = { stateId: null, history: EMPTY_HISTORY };

const write = (series: Series, records: [number, number][], notify: NotifyRule, by = rules) => {
  const set = records.map(([timeMs, value]) => ({ timeMs, value }));
  const { series: after, steps } = applyColumn(by, series, { set, codes: [], removes: () => false }, notify);
  return { after, texts: steps.map((step) => `${step.timeMs} ${stateChangedText(step).slice(19)}`) };
};

test.each([
  [
    [45, 50, 49, 47],
    ['2 NORMAL to HIGH', '4 HIGH to NORMAL'],
  ],
  [
    [120, 101, 99, 97, 49, 47],
    ['1 NORMAL to HIGH', '2 HIGH to CRITICAL', '4 CRITICAL to HIGH', '6 HIGH to NORMAL'],
  ],
  [
    [60, 20, 22, 23],
    ['1 NORMAL to HIGH', '2 HIGH to LOW', '4 LOW to NORMAL'],
  ],
])('worked example %j: at once, and one request a record', (values, expected) => {
  const records = values.map((value, n): [number, number] => [n + 1, value]);
  expect(write(START, records, 'ALL_NEWER').texts).toEqual(expected);
  let series = START;
  const texts = records.flatMap((record) => {
    const result = write(series, [record], 'LATEST_ONLY');
    series = result.after;
    return result.texts;
  });
  expect(texts).toEqual(expected);
});

test.each([
  ['ALL_NEWER', ['1 NORMAL to HIGH', '2 HIGH to NORMAL', '3 NORMAL to LOW'], 'low'],
  ['LATEST_ONLY', ['3 NORMAL to LOW'], 'low'],
  ['NONE', [], 'low'],
] as const)('notifyOn %s', (notify, expected, stateId) => {
  const { after, texts } = write(
    START,
    [
      [1, 60],
      [2, 30],
      [3, 10],
    ],
    notify,
  );
  expect([texts, after.stateId]).toEqual([expected, stateId]);
});

test('a step tells the record that has brought it, before the transform', () => {
  const doubling = { ...rules, transform: transformOf({ ...UNTRANSFORMED, multiplier: 2 }) };
  const set = [10, 30, 5].map((value, timeMs) => ({ timeMs, value }));
  const codes = [{ timeMs: 1, code: 192 }];
  const { steps } = applyColumn(doubling, START, { set, codes, removes: () => false }, 'ALL_NEWER');
  expect(steps.map(({ record }) => record)).toEqual([
    { timeMs: 0, value: 10, code: undefined },
    { timeMs: 1, value: 30, code: 192 },
    { timeMs: 2, value: 5, code: undefined },
  ]);
});

test('records at or before the newest never change anything but the history', () => {
  const { after } = write(START, [[10, 30]], 'ALL_NEWER');
  const late = write(
    after,
    [
      [5, 500],
      [10, 500],
    ],
    'ALL_NEWER',
  );
  expect([late.texts, late.after.stateId]).toEqual([[], 'normal']);
  // Two records at or beyond 100 lie before this one now: three in a row.
  expect(write(late.after, [[11, 500]], 'ALL_NEWER').texts).toEqual(['11 NORMAL to CRITICAL']);
});

test('the first state is NORMAL without a change to tell', () => {
  const { after, texts } = write(START, [[1, 30]], 'ALL_NEWER');
  expect([texts, after.stateId]).toEqual([[], 'normal']);
});

test('multiplier and offset come first', () => {
  const scaled = { ...rules, transform: transformOf({ multiplier: 2, offset: -10, equation: '' }) };
  expect(write(START, [[1, 30]], 'ALL_NEWER', scaled).texts).toEqual(['1 NORMAL to HIGH']);
});

test('an equation decides what states see; a record that it leaves no value is passed over', () => {
  const rooted = { ...rules, transform: transformOf({ multiplier: 2, offset: 1, equation: '10*sqrt(x)' }) };
  const told = ['1 NORMAL to HIGH', '5 HIGH to CRITICAL'];
  const records: [number, number][] = [
    [1, 36],
    [2, -1],
    [3, 100],
    [4, -1],
    [5, 100],
    [6, -1],
  ];
  const { texts, after } = write(START, records, 'ALL_NEWER', rooted);
  expect([texts, after.stateId]).toEqual([told, 'critical']);
  expect(silentState(rooted, after.history)?.name).toBe('CRITICAL');
});

test('a state that is gone counts as NORMAL', () => {
  const series: Series = { stateId: 'was-removed', history: EMPTY_HISTORY };
  expect(write(series, [[1, 30]], 'ALL_NEWER').texts).toEqual([]);
  expect(write(series, [[1, 60]], 'ALL_NEWER').texts).toEqual(['1 NORMAL to HIGH']);
});

test('DISCRETE begins and ends in NONE', () => {
  const discrete: SeriesRules = { ...rules, statesType: 'DISCRETE', states: [state('ON', 1), state('OFF', 0)] };
  expect(
    write(
      START,
      [
        [1, 1],
        [2, 0],
        [3, 7],
        [4, 7],
      ],
      'ALL_NEWER',
      discrete,
    ).texts,
  ).toEqual(['1 NONE to ON', '2 ON to OFF', '3 OFF to NONE']);
});

test.each([
  ['into a state that is no alarm', 'CRITICAL', 'HIGH', false, { kind: 'clear' }],
  ['into an alarm', 'HIGH', 'CRITICAL', false, { kind: 'escalate' }],
  ['between alarms, away from NORMAL', 'HIGH', 'CRITICAL', true, { kind: 'escalate' }],
  ['between alarms, towards NORMAL', 'CRITICAL', 'HIGH', true, { kind: 'ease' }],
  ['to the other side', 'CRITICAL', 'LOW', true, { kind: 'escalate' }],
  ['into NORMAL', 'CRITICAL', 'NORMAL', true, { kind: 'clear' }],
])('the state alarm on a step %s', (_what, from, to, allAlarms, expected) => {
  const states = rules.states.map((one) => ({ ...one, isAlarm: one.isAlarm || (allAlarms && one.name !== 'NORMAL') }));
  const named = (name: string) => states.find((one) => one.name === name);
  const step = { from: named(from), to: named(to), timeMs: 1 };
  expect(stateAlarmTrigger({ ...rules, states }, step)).toMatchObject(expected);
});

test.each([
  ['the default text', '', 'State changed from NORMAL to HIGH', undefined],
  ['a custom text', 'Pump the cellar', 'Pump the cellar', undefined],
  ['a long custom text, cut', '💧'.repeat(600), '💧'.repeat(500), undefined],
  [
    'a text with expressions, handed on beside the default text',
    '{{ THIS.name }} high',
    'State changed from NORMAL to HIGH',
    '{{ THIS.name }} high',
  ],
])('the message of an alarm: %s', (_what, messageAway, message, custom) => {
  const to = state('HIGH', 50, { isAlarm: true, messageAway });
  const trigger = stateAlarmTrigger(rules, { from: rules.states[1], to, timeMs: 1 });
  expect(trigger).toMatchObject({ message, categoryId: null, ...(custom !== undefined && { custom }) });
  expect('custom' in trigger).toBe(custom !== undefined);
});

test.each([
  ['LATEST_ONLY', [4]],
  ['ALL_NEWER', [2, 4]],
  ['NONE', []],
] as const)('with %s these new records are judged by their quality, those without a value too', (notify, expected) => {
  const before = applyColumn(
    rules,
    START,
    { set: [{ timeMs: 1, value: 30 }], codes: [], removes: () => false },
    'NONE',
  );
  const codes = [0, 1, 2, 4].map((timeMs) => ({ timeMs, code: 158 }));
  const edits = { set: [{ timeMs: 2, value: 30 }], codes, removes: () => false };
  for (const by of [rules, undefined]) {
    const { graded } = applyColumn(by, before.series, edits, notify);
    expect(graded.map(({ timeMs }) => timeMs)).toEqual(expected);
  }
});

test('a series without states keeps its records alone', () => {
  const edits = { set: [{ timeMs: 1, value: 30 }], codes: [], removes: () => false };
  const { series, steps } = applyColumn(undefined, START, edits, 'ALL_NEWER');
  expect([series.stateId, series.history.records, steps]).toEqual([null, edits.set, []]);
});
