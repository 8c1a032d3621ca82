import { type AlarmType, hasAlarm } from '@catchment/query';
import { type Alarm, type AlarmTrigger, changeAlarm } from './alarm.ts';
import { ALARM_RULES, type AlarmRule, alarmTypesOn, type Occurrence } from './alarm-types.ts';
import type { Finding } from './conditions/finding.ts';
import { reportedStates } from './conditions/state-judged.ts';
import { nameOf } from './conditions/state-step.ts';
import { isAlarmOn, type Node } from './node.ts';
import type { StateStep } from './series.ts';

type AlarmNews = {
  readonly type: AlarmType;
  /** An unchanged alarm stays the same object. */
  readonly alarm: Alarm;
  /** This custom message is still to be evaluated; what it is about stands beside it. */
  readonly custom: CustomText | undefined;
  /** The event; undefined = none. */
  readonly event:
    | {
        readonly level: 'INFO' | 'WARNING';
        readonly eventType: AlarmRule['eventType'];
        readonly alarmState: Alarm['alarmState'] | 'NONE';
        readonly message: string;
        readonly transition: Transition;
      }
    | undefined;
};

/** A message with expressions. */
export type CustomText = {
  readonly text: string;
  /** The state with this name was entered; empty for an alarm of another kind. */
  readonly stateName: string;
  readonly timeMs: number;
  readonly record: StateStep['record'] | undefined;
};

/** Its condition changed an alarm. */
export type Transition = {
  readonly alarmType: AlarmType;
  /** The alarm's new state. */
  readonly alarmState: Alarm['alarmState'];
  /** The states of the series; undefined where an alarm of another kind has changed. */
  readonly states: Pick<StateStep, 'from' | 'to' | 'record'> | undefined;
};

/** Returns the effect of an occurrence on the alarms of a node, with its reports; empty for most. */
export const alarmNews = (
  occurrence: Occurrence,
  node: Node,
  alarmOf: (type: AlarmType) => Alarm,
): readonly AlarmNews[] =>
  alarmTypesOn(occurrence.kind).flatMap((type) => {
    const rule = ALARM_RULES[type];
    if (!hasAlarm(node.nodeClass, type)) return [];
    const before = alarmOf(type);
    const finding = findingOf(rule, occurrence, before, node);
    const news = finding && newsOf(type, before, finding, occurrence, node);
    return news && (news.event || news.alarm !== before) ? [news] : [];
  });

function findingOf({ conditions }: AlarmRule, occurrence: Occurrence, before: Alarm, node: Node): Finding | undefined {
  const condition = conditions[occurrence.kind] as
    | ((occurrence: Occurrence, before: Alarm, node: Node) => Finding | undefined)
    | undefined;
  return condition?.(occurrence, before, node);
}

function newsOf(type: AlarmType, before: Alarm, finding: Finding, occurrence: Occurrence, node: Node): AlarmNews {
  const { eventType, cleared = '' } = ALARM_RULES[type];
  const { trigger, message } = triggerOf(type, finding, occurrence, node, cleared);
  const { alarm, eventState: alarmState } = changeAlarm(before, trigger);
  const isStep = occurrence.kind === 'step';
  const isSettings = occurrence.kind === 'judged' && occurrence.because === 'settings';
  const isLoud = alarmState === 'ACTIVE' && (isSettings || eventType !== 'STATE');
  const transition: Transition = {
    alarmType: type,
    alarmState: alarm.alarmState,
    states: isStep ? occurrence.step : occurrence.kind === 'judged' ? reportedStates(occurrence) : undefined,
  };
  const level = isLoud ? 'WARNING' : 'INFO';
  // No state has changed: its event would say so.
  const about = { level, eventType: isSettings ? 'CONFIGURATION' : eventType } as const;
  return {
    type,
    alarm,
    custom: alarm === before ? undefined : customOf(trigger, occurrence),
    event: alarmState === 'NONE' && !isStep ? undefined : { ...about, alarmState, message, transition },
  };
}

/** Returns the effect of a finding on the alarm, and the text of the event. */
function triggerOf(
  type: AlarmType,
  finding: Finding,
  { timeMs }: Occurrence,
  node: Node,
  cleared: string,
): { readonly trigger: AlarmTrigger; readonly message: string } {
  if (finding.kind === 'trigger') return finding;
  const isRaised = finding.kind === 'raised' && isAlarmOn(node, type);
  const message = (isRaised || finding.kind === 'over' ? finding.message : undefined) ?? cleared;
  if (!isRaised) return { trigger: { kind: 'clear' }, message };
  const categoryId = node.alarms.get(type)?.categoryId || null;
  return { trigger: { kind: 'raise', ...(finding.shown ?? { message }), categoryId, timeMs }, message };
}

function customOf(trigger: AlarmTrigger, occurrence: Occurrence): CustomText | undefined {
  const text = 'custom' in trigger ? trigger.custom : undefined;
  if (text === undefined) return undefined;
  const step = occurrence.kind === 'step' ? occurrence.step : occurrence.kind === 'judged' ? occurrence : undefined;
  return { text, stateName: step ? nameOf(step.to) : '', timeMs: occurrence.timeMs, record: step?.record };
}
