import { type CloudEvent, cloudEvent } from '../domain/cloud-event.ts';
import type { RecordedEvent } from '../usecases/ports.ts';

/** An event of the log: `data` is the event as `GET /events` shows it. */
export function cloudEventOf({
  eventId: id,
  ownerId,
  nodeId,
  timeMs,
  text,
}: Omit<RecordedEvent, 'position'>): CloudEvent {
  return cloudEvent({ id, ownerId, type: 'io.catchment.event.recorded.v1', timeMs, nodeId, data: JSON.parse(text) });
}
