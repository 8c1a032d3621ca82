import { appendOutbox, type Queryable } from '@catchment/pg';
import { type Cause, createdMessage, eventRecorded, nodeChanged, touchOwners } from '../../changes/index.ts';
import { nodeClass } from '../../classes/domain/class-table.ts';
import { nodeConfigs } from '../store/pg-node-configs.ts';
import { branchOf, type NewNode, renewRevisions } from '../store/pg-nodes.ts';
import type { NodeDeps } from './deps.ts';

/** Everything that follows new nodes, in their transaction: events, messages, the list's revision. */
export async function announceCreated(
  tx: Queryable,
  deps: Pick<NodeDeps, 'names'>,
  ownerId: string,
  nodes: readonly NewNode[],
  cause: { timeMs: number; username: string },
): Promise<void> {
  const configs = await nodeConfigs(
    tx,
    nodes.map(({ nodeId }) => nodeId),
    deps.names,
  );
  const messages = nodes.flatMap((node) => {
    const config = configs.get(node.nodeId);
    const event = eventRecorded(ownerId, {
      nodeId: node.nodeId,
      workspaceId: node.workspaceId,
      nodeClass: node.class,
      level: 'INFO',
      eventType: 'CONFIGURATION',
      message: createdMessage(node.name),
      ...cause,
    });
    return config ? [nodeChanged(config, true, cause), event] : [event];
  });
  await appendOutbox(tx, messages);
  await touchOwners(tx, [ownerId], 'configuration');
}

/** Nodes whose change is announced in one go when an ancestor was renamed. */
const PATH_BATCH = 500;

/** The full path of everything below a renamed node is another; other services keep that of series and sources. */
export async function announcePaths(
  tx: Queryable,
  deps: Pick<NodeDeps, 'names'>,
  nodeId: string,
  cause: Cause,
): Promise<void> {
  const below = (await branchOf(tx, nodeId)).filter((one) => {
    const { kind } = nodeClass(one.class);
    return one.nodeId !== nodeId && kind !== 'group' && kind !== 'workspace';
  });
  for (let from = 0; from < below.length; from += PATH_BATCH) {
    const ids = below.slice(from, from + PATH_BATCH).map((one) => one.nodeId);
    await renewRevisions(tx, ids);
    const configs = await nodeConfigs(tx, ids, deps.names);
    await appendOutbox(
      tx,
      [...configs.values()].map((config) => nodeChanged(config, false, cause)),
    );
  }
}
