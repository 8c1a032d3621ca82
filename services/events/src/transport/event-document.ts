import { inSlice } from '@catchment/fair-queue';
import { type AttrSelector, selectAttributes } from '@catchment/query';
import { formatIsoMs } from '@catchment/time';
import type { Event } from '../domain/event.ts';

/** The public shape of an event (docs/reference/events.md#fields). */
export function toEventDocument(event: Event, classNamespace: string): Record<string, unknown> {
  const prefix = `${classNamespace}.models`;
  return {
    _class: `${prefix}.event.Event`,
    _id: event.eventId,
    level: event.level,
    eventTime: formatIsoMs(event.timeMs),
    eventType: event.eventType,
    message: event.message,
    alarmState: event.alarmState,
    ...(event.nodeId !== '' && { nodeId: event.nodeId }),
    ...(event.nodeClass !== '' && { nodeType: `${prefix}.node.${event.nodeClass}` }),
    ...(event.workspaceId !== '' && { workspaceId: event.workspaceId }),
    ownerId: event.ownerId,
    username: event.username,
  };
}

/** How events are shown. */
type Shown = { readonly classNamespace: string; readonly attr: AttrSelector | undefined };

/** The JSON text of an event. */
export function eventText(event: Event, { classNamespace, attr }: Shown): string {
  const document = toEventDocument(event, classNamespace);
  return JSON.stringify(attr ? selectAttributes(document, attr) : document);
}

/** The JSON array of events, a piece per batch. */
export async function* eventArray(batches: AsyncIterable<readonly Event[]>, shown: Shown): AsyncIterable<Buffer> {
  let before = '[';
  for await (const events of batches) {
    const texts = await inSlice(() => events.map((event) => eventText(event, shown)));
    yield Buffer.from(before + texts.join(','));
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}
