import { inSlice } from '@catchment/fair-queue';
import { type AttrSelector, selectAttributes } from '@catchment/query';
import { formatIsoMs } from '@catchment/time';
import type { Event } from '../domain/event.ts';

/** The public shape of an event (docs/reference/events.md#fields). */
export function toEventDocument(event: Event, classNamespace: string): Record<string, unknown> {
  const prefix = `${classNamespace}.models`;
  const { eventId, level, eventType, message, alarmState, nodeId, nodeClass, workspaceId, ownerId, username } = event;
  // Ten thousand of them are one answer: no spread, and undefined is left out of JSON.
  return {
    _class: `${prefix}.event.Event`,
    _id: eventId,
    level,
    eventTime: formatIsoMs(event.timeMs),
    eventType,
    message,
    alarmState,
    nodeId: nodeId === '' ? undefined : nodeId,
    nodeType: nodeClass === '' ? undefined : `${prefix}.node.${nodeClass}`,
    workspaceId: workspaceId === '' ? undefined : workspaceId,
    ownerId,
    username,
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
