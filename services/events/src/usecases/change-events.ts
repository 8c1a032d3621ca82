import { type ApiCaller, checkPermission, type Permission } from '@catchment/access';
import { newObjectId } from '@catchment/ids';
import type { VisibleNodes } from '@catchment/node-replica';
import { checkedEvent, type Event } from '../domain/event.ts';
import { type NewEvent, parseNewEvents } from '../domain/new-events.ts';
import type { EventStore } from './ports.ts';

type Deps = { readonly events: EventStore; readonly nodes: VisibleNodes; readonly now: () => number };

/** A change that a caller makes to the events of a node. */
export type ChangeCall = {
  readonly caller: ApiCaller;
  readonly token: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly nodeRef: string;
};

/**
 * `POST /nodes/:id/events`: all of them or none.
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export async function createEvents(
  deps: Deps,
  call: ChangeCall,
  { body, arrivalMs }: { readonly body: Uint8Array; readonly arrivalMs: number },
): Promise<void> {
  const entries = parseNewEvents(body, arrivalMs || deps.now());
  const eventOf = await madeBy(deps, call, 'CONFIGURE');
  await deps.events.record(entries.map(eventOf));
}

/** `DELETE /nodes/:id/events`: what is left is the event that tells of it. @throws DomainError not_found | permission_denied */
export async function clearEvents(deps: Deps, call: ChangeCall): Promise<void> {
  const eventOf = await madeBy(deps, call, 'EDIT_DATA');
  await deps.events.clear(eventOf({ message: 'Cleared events', timeMs: deps.now() }));
}

/** Makes events of the node, once the caller may. */
async function madeBy(deps: Deps, call: ChangeCall, permission: Permission): Promise<(event: NewEvent) => Event> {
  const { caller } = call;
  const { nodeId, workspaceId, class: nodeClass } = await deps.nodes.resolve(call.nodeRef, call);
  checkPermission(caller, workspaceId, permission);
  const of = { ownerId: caller.ownerId, workspaceId, nodeId, nodeClass, username: caller.username };
  const kind = { level: 'INFO', eventType: 'CONFIGURATION', alarmState: 'NONE' };
  return (event) => checkedEvent({ ...of, ...kind, ...event, eventId: newObjectId(deps.now()) });
}
