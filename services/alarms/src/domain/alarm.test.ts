import { type Alarm, type AlarmTrigger, CLEARED, changeAlarm } from './alarm.ts';

const ACTIVE: Alarm = { ...CLEARED, alarmState: 'ACTIVE', message: 'high', categoryId: 'c1', activeTimeMs: 1 };
const ACKNOWLEDGED: Alarm = {
  ...ACTIVE,
  alarmState: 'ACKNOWLEDGED',
  acknowledgeTimeMs: 2,
  acknowledgeUsername: 'jo@example.org',
  acknowledgeComment: 'seen',
};
const raise = (escalates: boolean): AlarmTrigger => ({
  kind: 'raise',
  cause: { message: 'critical', categoryId: 'c2' },
  escalates,
  timeMs: 9,
});
const acknowledge: AlarmTrigger = { kind: 'acknowledge', timeMs: 5, username: 'al@example.org', comment: null };
const ease: AlarmTrigger = { kind: 'ease', message: 'milder' };
const clear: AlarmTrigger = { kind: 'clear' };

// docs/reference/alarms.md#life-cycle, row by row.
test.each([
  [
    'CLEARED, raised',
    CLEARED,
    raise(true),
    { ...CLEARED, alarmState: 'ACTIVE', message: 'critical', categoryId: 'c2', activeTimeMs: 9 },
    'ACTIVE',
  ],
  ['ACTIVE, raised again by the same cause', ACTIVE, raise(false), { ...ACTIVE, message: 'critical' }, 'NONE'],
  ['ACTIVE, escalated', ACTIVE, raise(true), { ...ACTIVE, message: 'critical', categoryId: 'c2' }, 'ACTIVE'],
  [
    'ACTIVE, acknowledged',
    ACTIVE,
    acknowledge,
    { ...ACTIVE, alarmState: 'ACKNOWLEDGED', acknowledgeTimeMs: 5, acknowledgeUsername: 'al@example.org' },
    'ACKNOWLEDGED',
  ],
  [
    'ACKNOWLEDGED, raised again by the same cause',
    ACKNOWLEDGED,
    raise(false),
    { ...ACKNOWLEDGED, message: 'critical' },
    'NONE',
  ],
  [
    'ACKNOWLEDGED, escalated: fields of the acknowledgement go',
    ACKNOWLEDGED,
    raise(true),
    { ...ACTIVE, message: 'critical', categoryId: 'c2' },
    'ACTIVE',
  ],
  ['ACKNOWLEDGED, acknowledged again', ACKNOWLEDGED, acknowledge, ACKNOWLEDGED, 'NONE'],
  ['ACTIVE, condition over or cleared', ACTIVE, clear, CLEARED, 'CLEARED'],
  ['ACKNOWLEDGED, condition over or cleared', ACKNOWLEDGED, clear, CLEARED, 'CLEARED'],
  ['CLEARED, cleared', CLEARED, clear, CLEARED, 'NONE'],
  ['CLEARED, acknowledged: no direct path', CLEARED, acknowledge, CLEARED, 'NONE'],
  ['CLEARED, a milder form goes on', CLEARED, ease, CLEARED, 'NONE'],
  ['ACTIVE, milder', ACTIVE, ease, { ...ACTIVE, message: 'milder' }, 'NONE'],
  ['ACKNOWLEDGED, milder', ACKNOWLEDGED, ease, { ...ACKNOWLEDGED, message: 'milder' }, 'NONE'],
] as [string, Alarm, AlarmTrigger, Alarm, string][])('%s', (_what, before, trigger, alarm, eventState) => {
  expect(changeAlarm(before, trigger)).toEqual({ alarm, eventState });
});

test('an alarm that does not change is the same object', () => {
  expect(changeAlarm(ACKNOWLEDGED, acknowledge).alarm).toBe(ACKNOWLEDGED);
  expect(changeAlarm(CLEARED, clear).alarm).toBe(CLEARED);
  expect(changeAlarm(ACTIVE, { kind: 'ease', message: 'high' }).alarm).toBe(ACTIVE);
});
