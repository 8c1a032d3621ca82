import { type ApiCaller, checkModify, checkPermission, scopeOf } from '@catchment/grpc';
import { appendOutbox } from '@catchment/pg';
import { eventRecorded } from '../../bus/messages.ts';
import { updateMessages } from '../../domain/node-event.ts';
import { invalidAttribute } from '../../domain/rule.ts';
import { touchOwners } from '../../store/node-rows.ts';
import { viewedNode } from '../../store/pg-node-views.ts';
import { findNode, lockOwner } from '../../store/pg-nodes.ts';
import { unlinkNodes } from '../../store/pg-templates.ts';
import type { ViewedNode } from '../../view/node-view.ts';
import type { Deps } from '../deps.ts';
import { bringUpToDate } from './follow-template.ts';

/**
 * Turns an instance into ordinary nodes; configuration, events and data stay (docs/reference/templates.md#unlinking).
 * @throws DomainError invalid_argument unless the node is the root of an instance
 */
export async function unlinkNode(deps: Deps, caller: ApiCaller, nodeRef: string): Promise<ViewedNode> {
  checkModify(caller);
  const { ownerId, username } = caller;
  const timeMs = deps.now();
  return deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const { nodeId, instanceId, workspaceId } = await findNode(tx, scopeOf(caller), nodeRef);
    checkPermission(caller, workspaceId, 'CONFIGURE');
    if (instanceId !== nodeId) throw invalidAttribute('id', 'must be the root of an instance of a template');
    await bringUpToDate(tx, deps, [nodeId], timeMs);
    // Gone meanwhile, when its template was deleted.
    const node = await findNode(tx, scopeOf(caller), nodeId);
    await unlinkNodes(tx, nodeId);
    const [message = ''] = updateMessages(['templateId'], node, { name: node.name, isEnabled: true });
    const event = eventRecorded(ownerId, {
      nodeId,
      workspaceId: node.workspaceId,
      nodeClass: node.class,
      level: 'INFO',
      eventType: 'CONFIGURATION',
      message,
      timeMs,
      username,
    });
    await appendOutbox(tx, [event]);
    await touchOwners(tx, [ownerId], 'configuration');
    return viewedNode(tx, nodeId) as Promise<ViewedNode>;
  });
}
