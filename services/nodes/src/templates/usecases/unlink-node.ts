import {
  type ApiCaller,
  checkModify,
  checkPermission,
  checkRevision,
  type RevisionMatch,
  scopeOf,
} from '@catchment/access';
import { appendOutbox } from '@catchment/pg';
import { lockOwner, nodeEvent } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { findNode } from '../../nodes/index.ts';
import { type ViewedNode, viewedNode } from '../../views/index.ts';
import type { TemplateDeps } from './deps.ts';
import { bringUpToDate } from './follow-template.ts';
import type { InstanceStore } from './ports.ts';

/**
 * Turns an instance into ordinary nodes; configuration, events and data stay (docs/reference/templates.md#unlinking).
 * @throws DomainError invalid_argument unless the node is the root of an instance
 */
export async function unlinkNode(
  store: InstanceStore,
  deps: TemplateDeps,
  caller: ApiCaller,
  nodeRef: string,
  ifMatch?: RevisionMatch,
): Promise<ViewedNode> {
  checkModify(caller);
  const { ownerId, username } = caller;
  const timeMs = deps.now();
  return deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const found = await findNode(tx, scopeOf(caller), nodeRef);
    const { nodeId, instanceId } = found;
    checkPermission(caller, found.workspaceId, 'CONFIGURE');
    checkRevision('node', found.revision, ifMatch);
    if (instanceId !== nodeId) throw invalidAttribute('id', 'must be the root of an instance of a template');
    await bringUpToDate(store, tx, deps, [nodeId], timeMs);
    // Gone meanwhile, when its template was deleted.
    const node = await findNode(tx, scopeOf(caller), nodeId);
    await store.unlinkNodes(tx, nodeId);
    await appendOutbox(tx, [nodeEvent(node, 'Updated templateId', { timeMs, username })]);
    await store.touchOwners(tx, [ownerId], 'configuration');
    return viewedNode(tx, nodeId);
  });
}
