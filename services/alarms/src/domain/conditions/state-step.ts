import { compareSeverity } from '@catchment/states';
import type { AlarmTrigger } from '../alarm.ts';
import type { AlarmingState, SeriesRules, StateStep } from '../series.ts';
import type { Finding } from './finding.ts';

/** A series went from one state to another. */
export type Stepped = {
  readonly kind: 'step';
  readonly rules: SeriesRules;
  readonly step: StateStep;
  readonly timeMs: number;
};

const MESSAGE_MAX_CHARACTERS = 500;
/** Marks of an expression (docs/reference/expressions.md): such a text needs rendering; until then the default text stands in for it. */
const EXPRESSION = /\{\{|\{%/;

const nameOf = (state: AlarmingState | undefined): string => state?.name ?? 'NONE';

export const stateChangedText = ({ from, to }: StateStep): string =>
  `State changed from ${nameOf(from)} to ${nameOf(to)}`;

/** What a state change does to the stateAlarm (docs/reference/alarms.md#conditions, row «state»). */
export function stateAlarmTrigger(rules: SeriesRules, step: StateStep): AlarmTrigger {
  const { from, to, timeMs } = step;
  if (!to?.isAlarm) return { kind: 'clear' };
  const severity = compareSeverity(rules, from?.stateId, to.stateId);
  if (from?.isAlarm && severity === 'deescalate') return { kind: 'ease', message: messageOf(to.messageTowards, step) };
  const cause = { message: messageOf(to.messageAway, step), categoryId: to.categoryId || null };
  return { kind: 'raise', cause, escalates: severity === 'escalate', timeMs };
}

export const stateFinding = ({ rules, step }: Stepped): Finding => ({
  kind: 'trigger',
  trigger: stateAlarmTrigger(rules, step),
  message: stateChangedText(step),
});

const messageOf = (custom: string, step: StateStep): string =>
  (custom === '' || EXPRESSION.test(custom) ? stateChangedText(step) : custom).slice(0, MESSAGE_MAX_CHARACTERS);
