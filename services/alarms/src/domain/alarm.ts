/** See docs/reference/alarms.md#alarm-object. */

export type AlarmState = 'ACTIVE' | 'ACKNOWLEDGED' | 'CLEARED';

/** Times are Unix ms. CLEARED has none of the rest. */
export type Alarm = {
  readonly alarmState: AlarmState;
  readonly message: string | null;
  readonly categoryId: string | null;
  readonly activeTimeMs: number | null;
  readonly acknowledgeTimeMs: number | null;
  readonly acknowledgeUsername: string | null;
  readonly acknowledgeComment: string | null;
};

const NOT_ACKNOWLEDGED = { acknowledgeTimeMs: null, acknowledgeUsername: null, acknowledgeComment: null };

export const CLEARED: Alarm = {
  alarmState: 'CLEARED',
  message: null,
  categoryId: null,
  activeTimeMs: null,
  ...NOT_ACKNOWLEDGED,
};

/** What may happen to an alarm (docs/reference/alarms.md#life-cycle). */
export type AlarmTrigger =
  /** The condition began, or worsened: `escalates` says that it is more than what raised the alarm before. */
  | { readonly kind: 'raise'; readonly cause: Cause; readonly escalates: boolean; readonly timeMs: number }
  /** The condition goes on in a milder form: only news for an alarm that is there. */
  | { readonly kind: 'ease'; readonly message: string }
  | {
      readonly kind: 'acknowledge';
      readonly timeMs: number;
      readonly username: string;
      readonly comment: string | null;
    }
  /** The condition is over, a user clears, the alarm is switched off. */
  | { readonly kind: 'clear' };

export type Cause = { readonly message: string; readonly categoryId: string | null };

export type AlarmChange = {
  readonly alarm: Alarm;
  /** alarmState of the event about it; NONE: nothing to tell. */
  readonly eventState: AlarmState | 'NONE';
};

/** The table in docs/reference/alarms.md#life-cycle. An alarm that does not change is returned as the same object. */
export function changeAlarm(alarm: Alarm, trigger: AlarmTrigger): AlarmChange {
  switch (trigger.kind) {
    case 'raise':
      return raise(alarm, trigger);
    case 'ease': {
      const unchanged = alarm.alarmState === 'CLEARED' || alarm.message === trigger.message;
      return { alarm: unchanged ? alarm : { ...alarm, message: trigger.message }, eventState: 'NONE' };
    }
    case 'acknowledge': {
      if (alarm.alarmState !== 'ACTIVE') return { alarm, eventState: 'NONE' };
      const { timeMs, username, comment } = trigger;
      return {
        alarm: {
          ...alarm,
          alarmState: 'ACKNOWLEDGED',
          acknowledgeTimeMs: timeMs,
          acknowledgeUsername: username,
          acknowledgeComment: comment,
        },
        eventState: 'ACKNOWLEDGED',
      };
    }
    case 'clear':
      return alarm.alarmState === 'CLEARED' ? { alarm, eventState: 'NONE' } : { alarm: CLEARED, eventState: 'CLEARED' };
  }
}

function raise(alarm: Alarm, trigger: Extract<AlarmTrigger, { kind: 'raise' }>): AlarmChange {
  const { message, categoryId } = trigger.cause;
  if (alarm.alarmState === 'CLEARED') {
    const raised = { ...CLEARED, alarmState: 'ACTIVE' as const, message, categoryId, activeTimeMs: trigger.timeMs };
    return { alarm: raised, eventState: 'ACTIVE' };
  }
  if (!trigger.escalates) {
    return { alarm: alarm.message === message ? alarm : { ...alarm, message }, eventState: 'NONE' };
  }
  return { alarm: { ...alarm, ...NOT_ACKNOWLEDGED, alarmState: 'ACTIVE', message, categoryId }, eventState: 'ACTIVE' };
}
