import { type AlarmType, hasAlarm } from '@catchment/query';
import { type Alarm, changeAlarm } from './alarm.ts';
import { ALARM_RULES, type AlarmRule, alarmTypesOn, type Occurrence } from './alarm-types.ts';
import type { Finding } from './conditions/finding.ts';
import { isAlarmOn, type Node } from './node.ts';

export type AlarmNews = {
  readonly type: AlarmType;
  /** The same object when it has not changed. */
  readonly alarm: Alarm;
  /** The event about it; undefined for none. */
  readonly event:
    | {
        readonly level: 'INFO' | 'WARNING';
        readonly eventType: AlarmRule['eventType'];
        readonly alarmState: Alarm['alarmState'] | 'NONE';
        readonly message: string;
      }
    | undefined;
};

/** What an occurrence does to the alarms of a node that has them, and what is told of it; nothing for most. */
export const alarmNews = (
  occurrence: Occurrence,
  node: Node,
  alarmOf: (type: AlarmType) => Alarm,
): readonly AlarmNews[] =>
  alarmTypesOn(occurrence.kind).flatMap((type) => {
    const rule = ALARM_RULES[type];
    if (!hasAlarm(node.nodeClass, type)) return [];
    const before = alarmOf(type);
    const finding = findingOf(rule, occurrence, before);
    const news = finding && newsOf(type, rule, before, finding, { node, timeMs: occurrence.timeMs });
    return news && (news.event || news.alarm !== before) ? [news] : [];
  });

function findingOf({ conditions }: AlarmRule, occurrence: Occurrence, before: Alarm): Finding | undefined {
  const condition = conditions[occurrence.kind] as
    | ((occurrence: Occurrence, before: Alarm) => Finding | undefined)
    | undefined;
  return condition?.(occurrence, before);
}

function newsOf(
  type: AlarmType,
  rule: AlarmRule,
  before: Alarm,
  finding: Finding,
  { node, timeMs }: { node: Node; timeMs: number },
): AlarmNews {
  const { eventType } = rule;
  if (finding.kind === 'trigger') {
    const { alarm, eventState: alarmState } = changeAlarm(before, finding.trigger);
    return { type, alarm, event: { level: 'INFO', eventType, alarmState, message: finding.message } };
  }
  const isRaised = finding.kind === 'raised' && isAlarmOn(node, type);
  const message = (isRaised || finding.kind === 'over' ? finding.message : undefined) ?? rule.cleared ?? '';
  const categoryId = node.alarms.get(type)?.categoryId || null;
  const { alarm, eventState: alarmState } = changeAlarm(
    before,
    isRaised ? { kind: 'raise', message: finding.shown ?? message, categoryId, timeMs } : { kind: 'clear' },
  );
  const level = alarmState === 'ACTIVE' ? 'WARNING' : 'INFO';
  return { type, alarm, event: alarmState === 'NONE' ? undefined : { level, eventType, alarmState, message } };
}
