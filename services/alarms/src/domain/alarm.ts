import type { AlarmMessage } from './conditions/custom-message.ts';

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
  /** Somebody cleared it while its condition lasted. */
  readonly isClearedByHand: boolean;
};

const NOT_ACKNOWLEDGED = { acknowledgeTimeMs: null, acknowledgeUsername: null, acknowledgeComment: null };

export const CLEARED: Alarm = {
  alarmState: 'CLEARED',
  message: null,
  categoryId: null,
  activeTimeMs: null,
  ...NOT_ACKNOWLEDGED,
  isClearedByHand: false,
};

/** An alarm changes by these events (docs/reference/alarms.md#life-cycle). */
export type AlarmTrigger =
  /** The condition is there. */
  | ({ readonly kind: 'raise' } & Cause)
  /** The condition is worse than, or another one than, what raised the alarm before. */
  | ({ readonly kind: 'escalate' } & Cause)
  /** The condition goes on in a milder form: only news for an alarm that is there. */
  | ({ readonly kind: 'ease' } & AlarmMessage)
  | {
      readonly kind: 'acknowledge';
      readonly timeMs: number;
      readonly username: string;
      readonly comment: string | null;
    }
  /** The condition is over, a user clears, the alarm is switched off. */
  | { readonly kind: 'clear'; readonly byHand?: boolean };

type Cause = AlarmMessage & { readonly categoryId: string | null; readonly timeMs: number };
type TriggerKind = AlarmTrigger['kind'];
type Trigger<K extends TriggerKind> = Extract<AlarmTrigger, { kind: K }>;

type Transition<K extends TriggerKind> = {
  /** The state that the alarm enters, which an event reports; absent: it stays in its own, and nothing is reported. */
  readonly enters?: AlarmState;
  readonly status?: (trigger: Trigger<K>) => Partial<Alarm>;
};

const STAYS = {};
const NEWS = { status: ({ message }: { readonly message: string }) => ({ message }) };
const BEGINS = {
  enters: 'ACTIVE',
  status: ({ message, categoryId, timeMs }: Cause) => ({
    message,
    categoryId,
    activeTimeMs: timeMs,
    isClearedByHand: false,
  }),
} as const;
const WORSENS = {
  enters: 'ACTIVE',
  status: ({ message, categoryId }: Cause) => ({ ...NOT_ACKNOWLEDGED, message, categoryId }),
} as const;
const ACKNOWLEDGED = {
  enters: 'ACKNOWLEDGED',
  status: ({ timeMs, username, comment }: Trigger<'acknowledge'>) => ({
    acknowledgeTimeMs: timeMs,
    acknowledgeUsername: username,
    acknowledgeComment: comment,
  }),
} as const;
const ENDS = {
  enters: 'CLEARED',
  status: ({ byHand = false }: Trigger<'clear'>) => ({ ...CLEARED, isClearedByHand: byHand }),
} as const;
/** Its condition is over, so the next one is a fresh one. */
const IS_OVER = { status: ({ byHand }: Trigger<'clear'>) => (byHand ? {} : CLEARED) };

/** The table in docs/reference/alarms.md#life-cycle says what each trigger does to an alarm in each state. */
export const LIFE_CYCLE: Readonly<Record<AlarmState, { readonly [K in TriggerKind]: Transition<K> }>> = {
  CLEARED: { raise: BEGINS, escalate: BEGINS, ease: STAYS, acknowledge: STAYS, clear: IS_OVER },
  ACTIVE: { raise: NEWS, escalate: WORSENS, ease: NEWS, acknowledge: ACKNOWLEDGED, clear: ENDS },
  ACKNOWLEDGED: { raise: NEWS, escalate: WORSENS, ease: NEWS, acknowledge: STAYS, clear: ENDS },
};

type AlarmChange = {
  readonly alarm: Alarm;
  /** alarmState of the event about it; NONE: there is nothing to report. */
  readonly eventState: AlarmState | 'NONE';
};

/** Decides what a trigger does to an alarm. An alarm that does not change is returned as the same object. */
export function changeAlarm(before: Alarm, trigger: AlarmTrigger): AlarmChange {
  const { enters, status } = LIFE_CYCLE[before.alarmState][trigger.kind] as Transition<TriggerKind>;
  const after: Alarm = { ...before, ...status?.(trigger), alarmState: enters ?? before.alarmState };
  const isChanged = (Object.keys(after) as (keyof Alarm)[]).some((field) => after[field] !== before[field]);
  return { alarm: isChanged ? after : before, eventState: enters ?? 'NONE' };
}
