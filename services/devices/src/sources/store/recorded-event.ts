import { EventRecorded } from '@catchment/contracts/events';
import { newObjectId } from '@catchment/ids';
import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import { EVENT_MESSAGE_MAX } from '@catchment/query';
import type { SourceEvent } from '../domain/source-event.ts';

export const recordEvents = (tx: Queryable, events: readonly SourceEvent[]): Promise<void> =>
  appendOutbox(tx, events.map(eventMessage));

export const eventMessage = ({
  source,
  level,
  eventType = 'ACQUISITION',
  username = 'System',
  message,
  timeMs,
}: SourceEvent): OutboxMessage => ({
  subject: 'events.event.recorded.v1',
  data: EventRecorded.encode({
    transition: undefined,
    eventId: newObjectId(timeMs),
    ownerId: source.ownerId,
    workspaceId: source.workspaceId,
    nodeId: source.sourceId,
    nodeClass: source.sourceClass,
    level,
    eventType,
    alarmState: 'NONE',
    timeMs,
    username,
    message: message.slice(0, EVENT_MESSAGE_MAX),
  }).finish(),
});
