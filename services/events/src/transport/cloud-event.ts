import { type CloudEvent, cloudEvent } from '../domain/cloud-event.ts';
import type { Event } from '../domain/event.ts';
import { toEventDocument } from './event-document.ts';

/** An event of the log: `data` is the event as `GET /events` shows it. */
export function cloudEventOf(event: Event, classNamespace: string): CloudEvent {
  const { eventId: id, ownerId, nodeId, timeMs } = event;
  const data = toEventDocument(event, classNamespace);
  return cloudEvent({ id, ownerId, type: 'io.catchment.event.recorded.v1', timeMs, nodeId, data });
}
