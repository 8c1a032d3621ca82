import { type Alarm, type AlarmState, type AlarmTrigger, CLEARED, changeAlarm, LIFE_CYCLE } from './alarm.ts';

const ACTIVE: Alarm = { ...CLEARED, alarmState: 'ACTIVE', message: 'high', categoryId: 'c1', activeTimeMs: 1 };
const ACKNOWLEDGED: Alarm = {
  ...ACTIVE,
  alarmState: 'ACKNOWLEDGED',
  acknowledgeTimeMs: 2,
  acknowledgeUsername: 'jo@example.org',
  acknowledgeComment: 'seen',
};
const BEFORE: Record<AlarmState, Alarm> = { CLEARED, ACTIVE, ACKNOWLEDGED };
const cause = { message: 'critical', categoryId: 'c2', timeMs: 9 };
const TRIGGERS: { readonly [K in AlarmTrigger['kind']]: AlarmTrigger } = {
  raise: { kind: 'raise', ...cause },
  escalate: { kind: 'escalate', ...cause },
  ease: { kind: 'ease', message: 'milder' },
  acknowledge: { kind: 'acknowledge', timeMs: 5, username: 'al@example.org', comment: null },
  clear: { kind: 'clear' },
};
const RAISED: Alarm = { ...CLEARED, alarmState: 'ACTIVE', message: 'critical', categoryId: 'c2', activeTimeMs: 9 };
const WORSE: Alarm = { ...ACTIVE, message: 'critical', categoryId: 'c2' };
const TAKEN: Alarm = {
  ...ACTIVE,
  alarmState: 'ACKNOWLEDGED',
  acknowledgeTimeMs: 5,
  acknowledgeUsername: 'al@example.org',
};

/** docs/reference/alarms.md#life-cycle says what the alarm becomes, and what the event about it says. */
const EXPECTED: Record<AlarmState, Record<AlarmTrigger['kind'], readonly [Alarm, AlarmState | 'NONE']>> = {
  CLEARED: {
    raise: [RAISED, 'ACTIVE'],
    escalate: [RAISED, 'ACTIVE'],
    ease: [CLEARED, 'NONE'],
    acknowledge: [CLEARED, 'NONE'],
    clear: [CLEARED, 'NONE'],
  },
  ACTIVE: {
    raise: [{ ...ACTIVE, message: 'critical' }, 'NONE'],
    escalate: [WORSE, 'ACTIVE'],
    ease: [{ ...ACTIVE, message: 'milder' }, 'NONE'],
    acknowledge: [TAKEN, 'ACKNOWLEDGED'],
    clear: [CLEARED, 'CLEARED'],
  },
  ACKNOWLEDGED: {
    raise: [{ ...ACKNOWLEDGED, message: 'critical' }, 'NONE'],
    escalate: [WORSE, 'ACTIVE'],
    ease: [{ ...ACKNOWLEDGED, message: 'milder' }, 'NONE'],
    acknowledge: [ACKNOWLEDGED, 'NONE'],
    clear: [CLEARED, 'CLEARED'],
  },
};

const CASES = (Object.keys(LIFE_CYCLE) as AlarmState[]).flatMap((state) =>
  (Object.keys(LIFE_CYCLE[state]) as AlarmTrigger['kind'][]).map((kind) => [state, kind] as const),
);

test('the table has every state and every trigger', () => {
  expect(CASES).toHaveLength(Object.keys(BEFORE).length * Object.keys(TRIGGERS).length);
});

test.each(CASES)('%s, %s', (state, kind) => {
  const [alarm, eventState] = EXPECTED[state][kind];
  expect(changeAlarm(BEFORE[state], TRIGGERS[kind])).toEqual({ alarm, eventState });
});

test('an alarm that does not change is the same object', () => {
  expect(changeAlarm(ACKNOWLEDGED, TRIGGERS.acknowledge).alarm).toBe(ACKNOWLEDGED);
  expect(changeAlarm(CLEARED, TRIGGERS.clear).alarm).toBe(CLEARED);
  expect(changeAlarm(ACTIVE, { kind: 'ease', message: 'high' }).alarm).toBe(ACTIVE);
});
