import { type AlarmType, EVENT_ALARM_STATES } from '@catchment/query';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { OBJECT_ID, shownFields } from '../../domain/body/rule-schema.ts';
import { ALARM_CONFIGS, alarmClass, alarmConfig } from '../../domain/classes/alarm-config.ts';
import type { NodeClass } from '../../domain/classes/node-class.ts';
import type { StoredAlarm } from '../../values/index.ts';
import type { ViewedNode } from './viewed-node.ts';
import { withoutNulls } from './without-nulls.ts';

/** `alarms` of a node always has every type that its class supports (docs/reference/alarms.md#alarm-object). */
export function alarmsView(cls: NodeClass, node: ViewedNode, names: ClassNames, nowMs: number): JsonObject {
  const stored = node.config.alarms ?? {};
  const view: Record<string, JsonObject> = {};
  for (const type of cls.alarms) {
    const config = alarmConfig(type, stored);
    const status: JsonObject =
      type === 'outdatedAlarm'
        ? // Times in the future count as now.
          { ...statusView(node, type), dataTime: formatIsoMs(Math.min(node.dataMs, nowMs)) }
        : statusView(node, type);
    const _class = alarmClass(type, names);
    view[type] = config ? { _class, config: withoutNulls(config), status } : { _class, status };
  }
  return view;
}

const TIME: JsonObject = { type: 'string', format: 'date-time' };
const TEXT: JsonObject = { type: 'string' };

/** Returns the JSON Schema of what `alarmsView` shows of a class. */
export const alarmsSchema = (cls: NodeClass, names: ClassNames): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(cls.alarms.map((type) => [type, alarmSchema(type, names)])),
});

function alarmSchema(type: AlarmType, names: ClassNames): JsonObject {
  const fields = ALARM_CONFIGS[type];
  const status = {
    alarmState: { type: 'string', enum: EVENT_ALARM_STATES },
    message: TEXT,
    categoryId: OBJECT_ID,
    activeTime: TIME,
    acknowledgeTime: TIME,
    acknowledgeUsername: TEXT,
    acknowledgeComment: TEXT,
    ...(type === 'outdatedAlarm' && { dataTime: { ...TIME, description: 'Since then it is quiet.' } }),
  };
  return {
    $id: `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    type: 'object',
    properties: {
      _class: { type: 'string', enum: [alarmClass(type, names)] },
      ...(fields && { config: shownFields(fields) }),
      status: {
        $id: type === 'outdatedAlarm' ? 'OutdatedAlarmStatus' : 'AlarmStatus',
        type: 'object',
        description: 'Read-only.',
        properties: status,
      },
    },
  };
}

function statusView({ alarms }: ViewedNode, type: string): JsonObject {
  const alarm = alarms[type];
  return alarm ? statusOf(alarm) : { alarmState: 'CLEARED' };
}

/** Returns `status` of an alarm as the API shows it. */
export const statusOf = (alarm: StoredAlarm): JsonObject =>
  withoutNulls({
    alarmState: alarm.alarmState,
    message: alarm.message,
    categoryId: alarm.categoryId,
    activeTime: alarm.activeTime === null ? null : formatIsoMs(alarm.activeTime),
    acknowledgeTime: alarm.acknowledgeTime === null ? null : formatIsoMs(alarm.acknowledgeTime),
    acknowledgeUsername: alarm.acknowledgeUsername,
    acknowledgeComment: alarm.acknowledgeComment,
  });
