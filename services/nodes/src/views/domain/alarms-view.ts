import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { alarmClass, alarmConfig } from '../../domain/classes/alarm-config.ts';
import type { NodeClass } from '../../domain/classes/node-class.ts';
import type { StoredAlarm } from '../../values/index.ts';
import type { ViewedNode } from './viewed-node.ts';
import { withoutNulls } from './without-nulls.ts';

/** `alarms` of a node: every type that its class supports, always (docs/reference/alarms.md#alarm-object). */
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

function statusView({ alarms }: ViewedNode, type: string): JsonObject {
  const own = alarms[type];
  return own ? statusOf(own) : { alarmState: 'CLEARED' };
}

/** `status` of an alarm as the API shows it. */
export const statusOf = (own: StoredAlarm): JsonObject =>
  withoutNulls({
    alarmState: own.alarmState,
    message: own.message,
    categoryId: own.categoryId,
    activeTime: own.activeTime === null ? null : formatIsoMs(own.activeTime),
    acknowledgeTime: own.acknowledgeTime === null ? null : formatIsoMs(own.acknowledgeTime),
    acknowledgeUsername: own.acknowledgeUsername,
    acknowledgeComment: own.acknowledgeComment,
  });
