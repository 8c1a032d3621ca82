import { type ApiCaller, scopeOf } from '@catchment/access';
import type { VisibleNodes } from '@catchment/node-replica';
import type { Event } from '../domain/event.ts';
import { type EventQuery, readEventQuery } from '../domain/event-query.ts';
import type { EventStore } from './ports.ts';

type Deps = { readonly events: EventStore; readonly nodes: VisibleNodes; readonly now: () => number };

export type ListEvents = {
  readonly caller: ApiCaller;
  readonly token: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Empty = GET /events. */
  readonly nodeRef: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** 0 = now. */
  readonly arrivalMs: number;
};

/**
 * The events that the caller may see: arguments are checked before the node is looked up
 * (docs/reference/requests-and-errors.md#order-of-checks).
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export async function listEvents(
  deps: Deps,
  ask: ListEvents,
): Promise<{ query: EventQuery; batches: AsyncIterable<readonly Event[]> }> {
  const query = readEventQuery(ask.arguments, ask.arrivalMs || deps.now());
  const { caller } = ask;
  const { ownerId, workspaceIds, closedTo } = scopeOf(caller);
  const scope = {
    ownerId,
    workspaceIds,
    withAccountEvents: caller.accessLevel === 'ACCOUNT',
  };
  // Compiled before the look-up: a wrong filter is 400 even for an unknown node.
  const list = deps.events.list(query);
  const nodeId = ask.nodeRef === '' ? undefined : (await deps.nodes.resolve(ask.nodeRef, ask)).nodeId;
  const closedNodeIds = closedTo && nodeId === undefined ? await deps.nodes.closed(ask) : [];
  const nodeIds = await deps.nodes.named(list.customIds, ask);
  return { query, batches: list.within({ ...scope, nodeId, closedNodeIds, nodeIds }) };
}
