import { compareSeverity } from '@catchment/states';
import type { AlarmTrigger } from '../alarm.ts';
import type { AlarmingState, SeriesRules, StateStep } from '../series.ts';
import { shownMessage } from './custom-message.ts';
import type { Finding } from './finding.ts';
import { BECAUSE } from './quality.ts';

/** A series went from one state to another. */
export type Stepped = {
  readonly kind: 'step';
  readonly rules: SeriesRules;
  readonly step: StateStep;
  readonly timeMs: number;
};

/** Texts name a state so. */
export const nameOf = (state: AlarmingState | undefined): string => state?.name ?? 'NONE';

export const stateChangedText = ({ from, to }: Pick<StateStep, 'from' | 'to'>): string =>
  `State changed from ${nameOf(from)} to ${nameOf(to)}`;

/** Decides what a state change does to the stateAlarm (docs/reference/alarms.md#conditions, row «state»). */
export function stateAlarmTrigger(rules: SeriesRules, step: Omit<StateStep, 'record'>): AlarmTrigger {
  const { from, to, timeMs } = step;
  if (!to?.isAlarm) return { kind: 'clear' };
  const severity = compareSeverity(rules, from?.stateId, to.stateId);
  const usual = stateChangedText(step);
  if (from?.isAlarm && severity === 'deescalate') {
    return { kind: 'ease', ...shownMessage(to.messageTowards, usual) };
  }
  const cause = { ...shownMessage(to.messageAway, usual), categoryId: to.categoryId || null, timeMs };
  return { kind: severity === 'escalate' ? 'escalate' : 'raise', ...cause };
}

export const stateFinding = ({ rules, step }: Stepped): Finding => ({
  kind: 'trigger',
  trigger: stateAlarmTrigger(rules, step),
  message: stateChangedText(step) + (step.isCorrected ? BECAUSE.corrected : ''),
});
