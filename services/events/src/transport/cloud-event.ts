import type { Event } from '../domain/event.ts';
import { toEventDocument } from './event-document.ts';

/** A CloudEvents 1.0 event, as webhooks and topics carry it (docs/reference/events.md#cloudevents). */
export type CloudEvent = {
  readonly specversion: '1.0';
  /** Unique within its source: a receiver knows by it what it has had already. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly time: string;
  /** The node; absent for events of the account. */
  readonly subject?: string;
  readonly datacontenttype: 'application/json';
  readonly data: Record<string, unknown>;
};

/** An event of the log: `data` is the event as `GET /events` shows it. */
export function cloudEventOf(event: Event, classNamespace: string): CloudEvent {
  const data = toEventDocument(event, classNamespace);
  return {
    specversion: '1.0',
    id: event.eventId,
    source: `/owners/${event.ownerId}`,
    type: 'io.catchment.event.recorded.v1',
    time: String(data.eventTime),
    ...(event.nodeId !== '' && { subject: `/nodes/${event.nodeId}` }),
    datacontenttype: 'application/json',
    data,
  };
}
