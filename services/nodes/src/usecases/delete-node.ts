import { type ApiCaller, checkModify, scopeOf } from '@catchment/grpc';
import { appendOutbox } from '@catchment/pg';
import { eventRecorded, nodesDeleted } from '../bus/messages.ts';
import { nodeClass } from '../domain/node-class.ts';
import { deletedMessage } from '../domain/node-event.ts';
import { touchOwners } from '../store/node-rows.ts';
import { branchOf, deleteNodes, findNode, lockOwner, nodesById } from '../store/pg-nodes.ts';
import { sourceIdOf } from '../view/node-config.ts';
import type { Deps } from './deps.ts';

/** Deletes a node with all below it; the other services follow the message (semantics 4.8). */
export async function deleteNode(deps: Deps, caller: ApiCaller, nodeRef: string): Promise<void> {
  checkModify(caller);
  const { ownerId, username } = caller;
  const timeMs = deps.now();
  await deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const node = await findNode(tx, scopeOf(caller), nodeRef);
    const branch = await branchOf(tx, node.nodeId);
    const [parent] = node.parentId === null ? [] : await nodesById(tx, ownerId, [node.parentId]);
    await deleteNodes(
      tx,
      branch.map(({ nodeId }) => nodeId),
    );
    const gone = branch.map((one) => ({ ...one, sourceId: sourceIdOf(nodeClass(one.class), one) }));
    const event = eventRecorded(ownerId, {
      // The account's own event for a workspace.
      nodeId: parent?.nodeId ?? '',
      workspaceId: parent?.workspaceId ?? '',
      nodeClass: parent?.class ?? '',
      level: 'INFO',
      eventType: 'CONFIGURATION',
      message: deletedMessage(node.name),
      timeMs,
      username,
    });
    await appendOutbox(tx, [...nodesDeleted(ownerId, gone, timeMs), event]);
    await touchOwners(tx, [ownerId], 'configuration');
  });
}
