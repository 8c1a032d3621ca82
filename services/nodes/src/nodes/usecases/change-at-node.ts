import { type ApiCaller, checkModify, scopeOf } from '@catchment/access';
import { type AccountChange, changeAccountOf, nodeEvent, type StoreDeps } from '../../changes/index.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import type { Place } from '../../rights/index.ts';
import { findNode } from '../store/nodes-query.ts';

/** A change of an account was requested at one of its nodes. */
export type ChangeAtNode = AccountChange & {
  readonly node: StoredNode;
  /** The node alone. */
  readonly place: Place;
  /** Adds a line to the node's event log. */
  logAtNode(eventType: 'CONFIGURATION' | 'SECURITY', message: string): void;
};

/**
 * Runs a change that needs the account as a whole to stand still, for a caller of any level: all of it or nothing.
 * @throws DomainError permission_denied (READ_ONLY; another workspace), not_found
 */
export function changeAtNode<T>(
  deps: StoreDeps,
  caller: ApiCaller,
  nodeRef: string,
  work: (change: ChangeAtNode) => Promise<T>,
): Promise<T> {
  checkModify(caller);
  const { ownerId, username } = caller;
  return changeAccountOf(deps, ownerId, username, async (change) => {
    const node = await findNode(change.tx, scopeOf(caller), nodeRef);
    const { nodeId, workspaceId } = node;
    return work({
      ...change,
      node,
      place: { ownerId, workspaceId, nodeIds: [nodeId], nowMs: change.nowMs },
      logAtNode: (eventType, message) => change.send([nodeEvent(node, message, change.cause, eventType)]),
    });
  });
}
