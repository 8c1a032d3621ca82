import { compareSeverity } from '@catchment/states';
import type { Alarm, AlarmTrigger } from '../alarm.ts';
import { type AlarmingState, normalOf, type SeriesRules, type StateStep } from '../series.ts';
import { shownMessage } from './custom-message.ts';
import type { Finding } from './finding.ts';
import { BECAUSE } from './quality.ts';
import { nameOf } from './state-step.ts';

/** The state of a series was judged, without a step to it. */
export type StateJudged = {
  readonly kind: 'judged';
  readonly timeMs: number;
  /** A new record changed no state, or settings changed. */
  readonly because: 'record' | 'settings';
  /** undefined: the series has no states any more. */
  readonly rules: SeriesRules | undefined;
  /** The series was in this state before the settings were changed, as it is now; undefined: it is gone, or there was none. */
  readonly from: AlarmingState | undefined;
  readonly to: AlarmingState | undefined;
  readonly record: StateStep['record'];
};

/**
 * Makes what the stateAlarm says true (docs/reference/states.md#updates-of-states). An alarm that was cleared by hand stays so while the
 * series is in the same alarm state.
 */
export function judgedFinding(judged: StateJudged, before: Alarm): Finding | undefined {
  const { to, because } = judged;
  const text = `State is ${nameOf(to)}${because === 'settings' ? BECAUSE.settings : ''}`;
  const trigger = triggerOf(judged, before, text);
  return trigger && { kind: 'trigger', trigger, message: text };
}

function triggerOf({ rules, from, to, timeMs }: StateJudged, before: Alarm, text: string): AlarmTrigger | undefined {
  if (!rules || !to?.isAlarm) return { kind: 'clear' };
  const severity = compareSeverity(rules, from?.stateId, to.stateId);
  const cause = { ...shownMessage(to.messageAway, text), categoryId: to.categoryId || null, timeMs };
  if (before.alarmState === 'CLEARED') {
    const stays = before.isClearedByHand && (severity !== 'escalate' || from === undefined);
    return stays ? undefined : { kind: 'raise', ...cause };
  }
  if (severity === 'escalate' && from?.isAlarm) return { kind: 'escalate', ...cause };
  return severity === 'deescalate' ? { kind: 'ease', ...shownMessage(to.messageTowards, text) } : undefined;
}

/** Returns the states that are reported to people: an alarm that is raised goes away from NORMAL, one that is over towards it. */
export function reportedStates({ rules, from, to, record }: StateJudged): Pick<StateStep, 'from' | 'to' | 'record'> {
  const normal = rules && normalOf(rules);
  if (to?.isAlarm) return { from: from?.isAlarm && from !== to ? from : normal, to, record };
  return { from, to: from === to ? normal : to, record };
}
