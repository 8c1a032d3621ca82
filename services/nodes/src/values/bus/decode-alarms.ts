import { type BusMessage, decoded } from '@catchment/bus';
import { AlarmChanged, StateChanged } from '@catchment/contracts/alarms';
import type { AlarmsMessage } from '../domain/reported-alarms.ts';

/** A message of the alarms service by its subject; none for subjects that nodes show nothing of. */
export function decodeAlarms(message: Pick<BusMessage, 'subject' | 'data'>): AlarmsMessage[] {
  const { subject } = message;
  if (subject === 'alarms.state.changed.v1') return [{ kind: 'state', ...decoded(StateChanged, message) }];
  if (subject === 'alarms.alarm.changed.v1') return [alarmOf(decoded(AlarmChanged, message))];
  return [];
}

/** Empty and 0 stand for null in the message. */
const alarmOf = (changed: AlarmChanged): AlarmsMessage => ({
  kind: 'alarm',
  nodeId: changed.nodeId,
  ownerId: changed.ownerId,
  alarmType: changed.alarmType,
  custom: changed.custom,
  status: {
    revision: changed.revision,
    alarmState: changed.alarmState,
    message: changed.message || null,
    categoryId: changed.categoryId || null,
    activeTime: changed.activeTimeMs || null,
    acknowledgeTime: changed.acknowledgeTimeMs || null,
    acknowledgeUsername: changed.acknowledgeUsername || null,
    acknowledgeComment: changed.acknowledgeComment || null,
  },
});
