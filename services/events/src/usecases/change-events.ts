import { checkPermission, type Permission } from '@catchment/access';
import { idFromAt, newObjectId } from '@catchment/ids';
import { checkedEvent, type Event } from '../domain/event.ts';
import { type NewEvent, parseNewEvents } from '../domain/new-events.ts';
import type { EventsCall, EventsDeps } from './ports.ts';

/**
 * `POST /nodes/:id/events` stores all of them or none. Under a key of the caller a second try makes the same events, which are there once.
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export async function createEvents(
  deps: EventsDeps,
  call: EventsCall,
  { body, arrivalMs }: { readonly body: Uint8Array; readonly arrivalMs: number },
): Promise<void> {
  const entries = parseNewEvents(body, arrivalMs || deps.now());
  const eventOf = await madeBy(deps, call, 'CONFIGURE');
  const { keyed } = call.caller;
  await deps.events.record(
    entries.map((entry, n) => eventOf(entry, keyed && idFromAt(arrivalMs, 'event', keyed.id, n))),
  );
}

/** `DELETE /nodes/:id/events` leaves the event that reports it. @throws DomainError not_found | permission_denied */
export async function clearEvents(deps: EventsDeps, call: EventsCall): Promise<void> {
  const eventOf = await madeBy(deps, call, 'EDIT_DATA');
  await deps.events.clear(eventOf({ message: 'Cleared events', timeMs: deps.now() }));
}

/** Makes events of the node, once the caller may. */
async function madeBy(
  deps: EventsDeps,
  call: EventsCall,
  permission: Permission,
): Promise<(event: NewEvent, eventId?: string) => Event> {
  const { caller } = call;
  const { nodeId, workspaceId, class: nodeClass } = await deps.nodes.resolve(call.nodeRef, call);
  checkPermission(caller, workspaceId, permission);
  const of = { ownerId: caller.ownerId, workspaceId, nodeId, nodeClass, username: caller.username };
  const kind = { level: 'INFO', eventType: 'CONFIGURATION', alarmState: 'NONE' };
  return (event, eventId = newObjectId(deps.now())) => checkedEvent({ ...of, ...kind, ...event, eventId });
}
