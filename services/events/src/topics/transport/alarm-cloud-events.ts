import { type BusMessage, decoded } from '@catchment/bus';
import { AlarmChanged, StateChanged } from '@catchment/contracts/alarms';
import { formatIsoMs } from '@catchment/time';
import { cloudEvent } from '../../domain/cloud-event.ts';
import type { TopicMessage } from '../usecases/ports.ts';

type Announcement = Pick<BusMessage, 'subject' | 'data' | 'timeMs'>;

/**
 * Makes messages of a topic (docs/reference/events.md#topics) of what alarms says of the state or an alarm of a node;
 * none of what is new to this version.
 */
export function alarmMessages(message: Announcement): TopicMessage[] {
  if (message.subject === 'alarms.alarm.changed.v1') return [alarmMessage(message)];
  return message.subject === 'alarms.state.changed.v1' ? [stateMessage(message)] : [];
}

function alarmMessage(message: Announcement): TopicMessage {
  const { nodeId, ownerId, revision, alarmType, alarmState, ...alarm } = decoded(AlarmChanged, message);
  return topicMessage('io.catchment.alarm.changed.v1', message, {
    nodeId,
    ownerId,
    revision,
    alarmType,
    alarmState,
    ...(alarm.message !== '' && { message: alarm.message }),
    ...(alarm.categoryId !== '' && { categoryId: alarm.categoryId }),
    ...(alarm.activeTimeMs !== 0 && { activeTime: formatIsoMs(alarm.activeTimeMs) }),
    ...(alarm.acknowledgeTimeMs !== 0 && {
      acknowledgeTime: formatIsoMs(alarm.acknowledgeTimeMs),
      acknowledgeUsername: alarm.acknowledgeUsername,
      acknowledgeComment: alarm.acknowledgeComment,
    }),
  });
}

function stateMessage(message: Announcement): TopicMessage {
  const { nodeId, ownerId, revision, stateId, timeMs } = decoded(StateChanged, message);
  return topicMessage('io.catchment.state.changed.v1', message, {
    nodeId,
    ownerId,
    revision,
    stateId: stateId === '' ? null : stateId,
    ...(timeMs !== undefined && { eventTime: formatIsoMs(timeMs) }),
  });
}

/** The revision of a node grows with each change of its state or one of its alarms. */
function topicMessage(
  type: string,
  { timeMs }: Announcement,
  data: Record<string, unknown> & { nodeId: string; ownerId: string; revision: number; alarmType?: string },
): TopicMessage {
  const { nodeId, ownerId, revision, alarmType = 'state' } = data;
  const id = `${nodeId}-${alarmType}-${revision}`;
  return { id, key: ownerId, value: JSON.stringify(cloudEvent({ id, ownerId, type, timeMs, nodeId, data })) };
}
