import { appendOutbox, type Queryable } from '@catchment/pg';
import { accountEvent, type Cause, nodeEvent } from '../../changes/index.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { deletedMessage } from '../domain/event-texts.ts';
import { branchesOf, nodesById } from '../store/nodes-query.ts';
import { sourceIdOf } from './node-config.ts';
import { nodesDeleted } from './node-messages.ts';
import type { NodeStore } from './ports.ts';
import { renewImages } from './store-nodes.ts';

/**
 * Deletes nodes with all below them, in the running transaction; the other services follow the message
 * (docs/reference/node-tree.md#delete). Each is an event of its parent, or of the account.
 */
export async function removeBranches(
  store: Pick<NodeStore, 'deleteNodes' | 'renewImages' | 'touchOwners'>,
  tx: Queryable,
  ownerId: string,
  nodes: readonly StoredNode[],
  cause: Cause,
): Promise<void> {
  if (nodes.length === 0) return;
  const branch = await branchesOf(
    tx,
    nodes.map(({ nodeId }) => nodeId),
  );
  const parentIds = new Set(nodes.flatMap(({ parentId }) => parentId ?? []));
  const parents = new Map((await nodesById(tx, ownerId, [...parentIds])).map((node) => [node.nodeId, node]));
  await store.deleteNodes(
    tx,
    branch.map(({ nodeId }) => nodeId),
  );
  await renewImages(store, tx, branch);
  const gone = branch.map((node) => ({ ...node, sourceId: sourceIdOf(nodeClass(node.class), node) }));
  const events = nodes.map((node) => {
    const parent = parents.get(node.parentId ?? '');
    const message = deletedMessage(node.name);
    return parent ? nodeEvent(parent, message, cause) : accountEvent(ownerId, 'CONFIGURATION', message, cause);
  });
  await appendOutbox(tx, [...nodesDeleted(ownerId, gone, cause.timeMs), ...events]);
  await store.touchOwners(tx, [ownerId], 'configuration');
}
