import { EventRecorded } from '@catchment/contracts/events';
import { newObjectId } from '@catchment/ids';
import { appendOutbox, type Queryable } from '@catchment/pg';
import { EVENT_MESSAGE_MAX } from '@catchment/query';
import type { SourceEvent } from '../usecases/ports.ts';

export async function recordEvents(tx: Queryable, events: readonly SourceEvent[]): Promise<void> {
  await appendOutbox(
    tx,
    events.map(({ source, level, username = 'System', message, timeMs }) => ({
      subject: 'events.event.recorded.v1',
      data: EventRecorded.encode({
        transition: undefined,
        eventId: newObjectId(timeMs),
        ownerId: source.ownerId,
        workspaceId: source.workspaceId,
        nodeId: source.sourceId,
        nodeClass: source.sourceClass,
        level,
        eventType: 'ACQUISITION',
        alarmState: 'NONE',
        timeMs,
        username,
        message: message.slice(0, EVENT_MESSAGE_MAX),
      }).finish(),
    })),
  );
}
