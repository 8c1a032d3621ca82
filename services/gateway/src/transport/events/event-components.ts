import { ALARM_TYPES, EVENT_ALARM_STATES, EVENT_LEVELS, EVENT_TYPES } from '@catchment/query';
import { objectId } from '../openapi/parts.ts';
import { type Component, string, time } from '../openapi/schema-parts.ts';

export const EVENT_COMPONENTS: readonly Component[] = [
  {
    $id: 'Event',
    type: 'object',
    description: 'What happened to a node or in the account.',
    required: ['_class', '_id', 'level', 'eventTime', 'eventType', 'message', 'ownerId'],
    properties: {
      _class: string('Kind of event.', 'io.svc.models.event.Event'),
      _id: objectId,
      level: { type: 'string', enum: EVENT_LEVELS },
      eventTime: time,
      eventType: { type: 'string', enum: EVENT_TYPES },
      message: string('What happened.', 'State changed from NORMAL to HIGH'),
      alarmState: { type: 'string', enum: EVENT_ALARM_STATES },
      nodeId: objectId,
      nodeType: string('Class of the node.'),
      workspaceId: objectId,
      ownerId: objectId,
      username: string('Who caused it.', 'jo@example.org'),
      alarmType: {
        type: 'string',
        enum: ALARM_TYPES,
        description: 'The alarm that it is about. Only where `attr` names it.',
      },
      alarmEndTime: {
        ...time,
        description:
          'Of an event that raises an alarm: when it was cleared or raised anew; absent while it lasts. Only where `attr` names it.',
      },
    },
  },
];
