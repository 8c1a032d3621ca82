import { scopeOf } from '@catchment/access';
import { readEventQuery } from '../domain/event-query.ts';
import type { EventList, EventScope, EventsCall, EventsDeps, EventText } from './ports.ts';

/**
 * Lists the events that the caller may see: arguments are checked before the node is looked up
 * (docs/reference/requests-and-errors.md#order-of-checks).
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export async function listEvents(
  deps: EventsDeps,
  call: EventsCall,
  given: { readonly arguments: Readonly<Record<string, string>>; readonly arrivalMs: number },
): Promise<AsyncIterable<readonly EventText[]>> {
  const query = readEventQuery(given.arguments, given.arrivalMs || deps.now());
  // Compiled before the look-up: a wrong filter is 400 even for an unknown node.
  const list = deps.events.list(query);
  return list.within(await scopeOfCall(deps, call, list));
}

/** Returns the part of a list that the caller may see at this moment. @throws DomainError not_found | permission_denied */
export async function scopeOfCall({ nodes }: EventsDeps, call: EventsCall, list: EventList): Promise<EventScope> {
  const { caller } = call;
  const { ownerId, workspaceIds, closedTo } = scopeOf(caller);
  const nodeId = call.nodeRef === '' ? undefined : (await nodes.resolve(call.nodeRef, call)).nodeId;
  return {
    ownerId,
    workspaceIds,
    withAccountEvents: caller.accessLevel === 'ACCOUNT',
    nodeId,
    closedNodeIds: closedTo && nodeId === undefined ? await nodes.closed(call) : [],
    nodeIds: await nodes.named(list.customIds, call),
  };
}
