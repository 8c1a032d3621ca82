import { scopeOf } from '@catchment/access';
import type { Event } from '../domain/event.ts';
import { type EventQuery, readEventQuery } from '../domain/event-query.ts';
import type { EventsCall, EventsDeps } from './ports.ts';

/**
 * The events that the caller may see: arguments are checked before the node is looked up
 * (docs/reference/requests-and-errors.md#order-of-checks).
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export async function listEvents(
  deps: EventsDeps,
  call: EventsCall,
  given: { readonly arguments: Readonly<Record<string, string>>; readonly arrivalMs: number },
): Promise<{ query: EventQuery; batches: AsyncIterable<readonly Event[]> }> {
  const query = readEventQuery(given.arguments, given.arrivalMs || deps.now());
  const { caller } = call;
  const { ownerId, workspaceIds, closedTo } = scopeOf(caller);
  const scope = {
    ownerId,
    workspaceIds,
    withAccountEvents: caller.accessLevel === 'ACCOUNT',
  };
  // Compiled before the look-up: a wrong filter is 400 even for an unknown node.
  const list = deps.events.list(query);
  const nodeId = call.nodeRef === '' ? undefined : (await deps.nodes.resolve(call.nodeRef, call)).nodeId;
  const closedNodeIds = closedTo && nodeId === undefined ? await deps.nodes.closed(call) : [];
  const nodeIds = await deps.nodes.named(list.customIds, call);
  return { query, batches: list.within({ ...scope, nodeId, closedNodeIds, nodeIds }) };
}
