import { transformOf, UNTRANSFORMED } from '@catchment/equation';
import { atOnce } from '@catchment/fair-queue';
import { applyColumn, type NotifyRule } from './apply-column.ts';
import { stateAlarmTrigger, stateChangedText } from './conditions/state-step.ts';
import { EMPTY_HISTORY } from './history.ts';
import { type AlarmingState, evaluatedAnew, type Series, type SeriesRules } from './series.ts';

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
  const { series: after, steps } = atOnce(applyColumn(by, series, { set, codes: [], removes: () => false }, notify));
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

test('a step has the record that has brought it, before the transform', () => {
  const doubling = { ...rules, transform: transformOf({ ...UNTRANSFORMED, multiplier: 2 }) };
  const set = [10, 30, 5].map((value, timeMs) => ({ timeMs, value }));
  const codes = [{ timeMs: 1, code: 192 }];
  const { steps } = atOnce(applyColumn(doubling, START, { set, codes, removes: () => false }, 'ALL_NEWER'));
  expect(steps.map(({ record }) => record)).toEqual([
    { timeMs: 0, value: 10, code: undefined },
    { timeMs: 1, value: 30, code: 192 },
    { timeMs: 2, value: 5, code: undefined },
  ]);
});

test('records before the newest never change anything but the history', () => {
  const { after } = write(START, [[10, 30]], 'ALL_NEWER');
  const late = write(
    after,
    [
      [5, 500],
      [6, 500],
    ],
    'ALL_NEWER',
  );
  expect([late.texts, late.after.stateId]).toEqual([[], 'normal']);
  // Two records at or beyond 100 lie before this one now: three in a row.
  expect(write(late.after, [[7, 500]], 'ALL_NEWER').texts).toEqual([]);
});

/** Writes, then one that changes the newest record; null = it is deleted. */
const correct = (
  before: readonly (readonly [number, number])[],
  edits: readonly (readonly [number, number | null])[],
  notify: NotifyRule,
  by: SeriesRules = rules,
) => {
  let { after } = write(START, [], 'ALL_NEWER', by);
  for (const record of before) after = write(after, [[...record]], 'ALL_NEWER', by).after;
  const set = edits.flatMap(([timeMs, value]) => (value === null ? [] : [{ timeMs, value }]));
  const removes = (timeMs: number) => edits.some(([time, value]) => time === timeMs && value === null);
  const { series, steps, stay } = atOnce(applyColumn(by, after, { set, codes: [], removes }, notify));
  const texts = steps.map(
    (step) => `${step.timeMs} ${stateChangedText(step).slice(19)}${step.isCorrected ? ' corrected' : ''}`,
  );
  return { texts, stateId: series.stateId, stays: stay?.timeMs };
};

/** docs/reference/writing.md#notifyon: the record that was current before the write is judged at once, from the state before it. */
test.each<[string, [number, number][], [number, number | null][], NotifyRule, string[], string | null]>([
  [
    'a spike is corrected',
    [
      [1, 30],
      [2, 60],
    ],
    [[2, 31]],
    'LATEST_ONLY',
    ['2 HIGH to NORMAL corrected'],
    'normal',
  ],
  [
    'a spike is deleted',
    [
      [1, 30],
      [2, 60],
    ],
    [[2, null]],
    'LATEST_ONLY',
    ['1 HIGH to NORMAL corrected'],
    'normal',
  ],
  [
    'a value is corrected upwards',
    [
      [1, 30],
      [2, 31],
    ],
    [[2, 60]],
    'ALL_NEWER',
    ['2 NORMAL to HIGH corrected'],
    'high',
  ],
  [
    'a gap is deleted behind an alarm',
    [
      [1, 60],
      [2, 30],
    ],
    [[2, null]],
    'ALL_NEWER',
    ['1 NORMAL to HIGH corrected'],
    'high',
  ],
  [
    'silently',
    [
      [1, 30],
      [2, 60],
    ],
    [[2, 31]],
    'NONE',
    [],
    'normal',
  ],
  [
    'inside the hysteresis of the record before',
    [
      [1, 60],
      [2, 10],
    ],
    [[2, 49]],
    'LATEST_ONLY',
    ['2 LOW to HIGH corrected'],
    'high',
  ],
  [
    'inside the hysteresis of a spike that is gone',
    [
      [1, 30],
      [2, 60],
    ],
    [[2, 49]],
    'LATEST_ONLY',
    ['2 HIGH to NORMAL corrected'],
    'normal',
  ],
  [
    'occurrences count stored records',
    [
      [1, 120],
      [2, 30],
    ],
    [[2, 130]],
    'LATEST_ONLY',
    ['2 NORMAL to CRITICAL corrected'],
    'critical',
  ],
  [
    'the first of two occurrences is deleted',
    [
      [1, 120],
      [2, 120],
    ],
    [[2, null]],
    'LATEST_ONLY',
    ['1 CRITICAL to HIGH corrected'],
    'high',
  ],
  ['all records are deleted', [[1, 60]], [[1, null]], 'LATEST_ONLY', ['1 HIGH to NORMAL corrected'], null],
  [
    'corrected, and newer ones: each is announced',
    [[1, 60]],
    [
      [1, 30],
      [2, 70],
    ],
    'ALL_NEWER',
    ['1 HIGH to NORMAL corrected', '2 NORMAL to HIGH'],
    'high',
  ],
  [
    'corrected, and newer ones: the newest is',
    [[1, 60]],
    [
      [1, 30],
      [2, 70],
    ],
    'LATEST_ONLY',
    [],
    'high',
  ],
  [
    'corrected, and a newer one in another state',
    [[1, 60]],
    [
      [1, 30],
      [2, 10],
    ],
    'LATEST_ONLY',
    ['2 HIGH to LOW'],
    'low',
  ],
  [
    'deleted, and a newer one instead',
    [
      [1, 30],
      [2, 60],
    ],
    [
      [2, null],
      [3, 30],
    ],
    'ALL_NEWER',
    ['1 HIGH to NORMAL corrected'],
    'normal',
  ],
  [
    'an older record changes nothing',
    [
      [1, 30],
      [2, 60],
    ],
    [[1, 500]],
    'ALL_NEWER',
    [],
    'high',
  ],
  [
    'the same again',
    [
      [1, 30],
      [2, 60],
    ],
    [[2, 60]],
    'LATEST_ONLY',
    [],
    'high',
  ],
])('the current record is changed: %s', (_what, before, edits, notify, texts, stateId) => {
  expect(correct(before, edits, notify)).toMatchObject({ texts, stateId });
});

test('what is judged without a step is announced, for what the alarm says', () => {
  expect(correct([[1, 60]], [[1, 61]], 'LATEST_ONLY').stays).toBe(1);
  expect(correct([[1, 60]], [[2, 61]], 'ALL_NEWER').stays).toBe(2);
  expect(correct([[1, 60]], [[2, 30]], 'ALL_NEWER').stays).toBeUndefined();
  expect(correct([[1, 60]], [[2, 61]], 'NONE').stays).toBeUndefined();
  expect(correct([[2, 60]], [[1, 61]], 'ALL_NEWER').stays).toBeUndefined();
});

test('a state that more records hold than are kept is held before a correction too', () => {
  let { after } = write(START, [[0, 60]], 'ALL_NEWER');
  for (let n = 1; n <= 40; n += 1) after = write(after, [[n, 49]], 'LATEST_ONLY').after;
  const { texts } = write(after, [[40, 48.5]], 'LATEST_ONLY');
  expect(texts).toEqual([]);
  expect(write(after, [[40, 47]], 'LATEST_ONLY').texts).toEqual(['40 HIGH to NORMAL']);
});

/** docs/reference/states.md#updates-of-states */
test.each<[string, Partial<SeriesRules> & { high?: number }, number[], string]>([
  ['a threshold that moved below the value', { high: 45 }, [30, 46], 'high'],
  ['a threshold that moved above it', { high: 90 }, [30, 60], 'normal'],
  ['a value that hysteresis holds', { high: 50 }, [60, 49], 'high'],
  ['a hysteresis that holds no more', { hysteresis: 0 }, [60, 49], 'normal'],
  ['a hysteresis that would have held', { hysteresis: 20 }, [60, 40], 'high'],
  ['occurrences count the records that are there', {}, [120, 120], 'critical'],
  ['one that is alone is not enough', {}, [30, 120], 'high'],
  ['a transform', { transform: transformOf({ ...UNTRANSFORMED, offset: 30 }) }, [21, 22], 'high'],
  ['an equation', { transform: transformOf({ ...UNTRANSFORMED, equation: 'x * x' }) }, [7, 8], 'high'],
  ['no records', {}, [], 'normal'],
])('changed settings are judged as if they had held: %s', (_what, { high, ...change }, values, expected) => {
  const states = rules.states.map((state) =>
    state.name === 'HIGH' && high !== undefined ? { ...state, threshold: high } : state,
  );
  const records = values.map((value, timeMs) => ({ timeMs, value }));
  const changed = { ...rules, states, ...change };
  const once = evaluatedAnew(changed, { ...EMPTY_HISTORY, records }, rules);
  expect(once.stateId).toBe(expected);
  expect(evaluatedAnew(changed, once.history, changed)).toEqual(once);
});

test('a state that is as it was goes on beyond what is kept; one that has changed does not', () => {
  let { after } = write(START, [[0, 60]], 'ALL_NEWER');
  for (let n = 1; n <= 40; n += 1) after = write(after, [[n, 49]], 'LATEST_ONLY').after;
  const more = { ...rules, states: [...rules.states, state('HUGE', 1_000)] };
  expect(evaluatedAnew(more, after.history, rules).stateId).toBe('high');
  const moved = rules.states.map((state) => (state.name === 'HIGH' ? { ...state, threshold: 50.5 } : state));
  expect(evaluatedAnew({ ...rules, states: moved }, after.history, rules).stateId).toBe('normal');
});

test('what was in a state goes on in it where it asks for fewer records in a row, and not where it asks for more', () => {
  const times = (occurrences: number) => ({
    ...rules,
    states: rules.states.map((state) => (state.name === 'HIGH' ? { ...state, occurrences } : state)),
  });
  let { after } = write(START, [[0, 60]], 'ALL_NEWER', times(2));
  for (const [n, value] of [60, ...Array(40).fill(49)].entries())
    after = write(after, [[n + 1, value]], 'LATEST_ONLY', times(2)).after;
  expect(evaluatedAnew(times(1), after.history, times(2)).stateId).toBe('high');
  expect(evaluatedAnew(times(3), after.history, times(2)).stateId).toBe('normal');
});

test('the first state is NORMAL without a change to announce', () => {
  const { after, texts } = write(START, [[1, 30]], 'ALL_NEWER');
  expect([texts, after.stateId]).toEqual([[], 'normal']);
});

test('multiplier and offset come first', () => {
  const scaled = { ...rules, transform: transformOf({ multiplier: 2, offset: -10, equation: '' }) };
  expect(write(START, [[1, 30]], 'ALL_NEWER', scaled).texts).toEqual(['1 NORMAL to HIGH']);
});

test('an equation decides what states see; a record that it leaves no value is passed over', () => {
  const rooted = { ...rules, transform: transformOf({ multiplier: 2, offset: 1, equation: '10*sqrt(x)' }) };
  const reported = ['1 NORMAL to HIGH', '5 HIGH to CRITICAL'];
  const records: [number, number][] = [
    [1, 36],
    [2, -1],
    [3, 100],
    [4, -1],
    [5, 100],
    [6, -1],
  ];
  const { texts, after } = write(START, records, 'ALL_NEWER', rooted);
  expect([texts, after.stateId]).toEqual([reported, 'critical']);
  expect(evaluatedAnew(rooted, after.history, undefined).stateId).toBe('critical');
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
  const states = rules.states.map((state) => ({
    ...state,
    isAlarm: state.isAlarm || (allAlarms && state.name !== 'NORMAL'),
  }));
  const named = (name: string) => states.find((state) => state.name === name);
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
  ['ALL_NEWER', [1, 2, 4]],
  ['NONE', []],
] as const)(
  'with %s these records, the current one too, are judged by their quality, those without a value too',
  (notify, expected) => {
    const before = atOnce(
      applyColumn(rules, START, { set: [{ timeMs: 1, value: 30 }], codes: [], removes: () => false }, 'NONE'),
    );
    const codes = [0, 1, 2, 4].map((timeMs) => ({ timeMs, code: 158 }));
    const edits = { set: [{ timeMs: 2, value: 30 }], codes, removes: () => false };
    for (const by of [rules, undefined]) {
      const { graded } = atOnce(applyColumn(by, before.series, edits, notify));
      expect(graded.map(({ timeMs }) => timeMs)).toEqual(expected);
    }
  },
);

test.each([
  ['overwritten', { set: [{ timeMs: 2, value: 3 }], codes: [{ timeMs: 2, code: 7 }], removes: () => false }, [[2, 7]]],
  [
    'overwritten without a code',
    { set: [{ timeMs: 2, value: 3 }], codes: [{ timeMs: 2, code: undefined }], removes: () => false },
    [[2, undefined]],
  ],
  ['given another code', { set: [], codes: [{ timeMs: 2, code: 7 }], removes: () => false }, [[2, 7]]],
  [
    'given another value alone',
    { set: [{ timeMs: 2, value: 3 }], codes: [{ timeMs: 2, code: undefined, isAsItWas: true }], removes: () => false },
    [[2, 158]],
  ],
  ['deleted', { set: [], codes: [], removes: (timeMs: number) => timeMs === 2 }, [[1, 5]]],
  ['deleted with all others', { set: [], codes: [], removes: () => true }, [[2, undefined]]],
  ['left alone', { set: [{ timeMs: 1, value: 3 }], codes: [{ timeMs: 1, code: 7 }], removes: () => false }, []],
] as const)('the quality of the current record is judged when it is %s', (_what, edits, expected) => {
  const set = [1, 2].map((timeMs) => ({ timeMs, value: 30 }));
  const codes = [
    { timeMs: 1, code: 5 },
    { timeMs: 2, code: 158 },
  ];
  const { series } = atOnce(applyColumn(undefined, START, { set, codes, removes: () => false }, 'NONE'));
  const graded = atOnce(applyColumn(undefined, series, edits, 'LATEST_ONLY')).graded;
  expect(graded.map(({ timeMs, code }) => [timeMs, code])).toEqual(expected);
  expect(graded.every(({ isCorrected }) => isCorrected)).toBe(true);
  expect(atOnce(applyColumn(undefined, series, edits, 'NONE')).graded).toEqual([]);
});

test('a series without states keeps its records alone', () => {
  const edits = { set: [{ timeMs: 1, value: 30 }], codes: [], removes: () => false };
  const { series, steps } = atOnce(applyColumn(undefined, START, edits, 'ALL_NEWER'));
  expect([series.stateId, series.history.records, steps]).toEqual([null, edits.set, []]);
});

test('a column of many records may be interrupted after each of them', () => {
  const set = Array.from({ length: 50 }, (_, n) => ({ timeMs: n + 1, value: n }));
  const steps = applyColumn(rules, START, { set, codes: [], removes: () => false }, 'ALL_NEWER');
  let count = 0;
  while (!steps.next().done) count += 1;
  expect(count).toBe(50);
});
