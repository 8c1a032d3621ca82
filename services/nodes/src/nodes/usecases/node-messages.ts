import type { NodeConfig } from '@catchment/contracts/nodes';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import type { OutboxMessage } from '@catchment/pg';
import type { Cause } from '../../changes/index.ts';

/** A message that names many nodes stays small. */
const DELETED_PER_MESSAGE = 500;

export const nodeChanged = (node: NodeConfig, created: boolean, cause: Cause): OutboxMessage => ({
  subject: 'nodes.node.changed.v1',
  data: NodeChanged.encode(NodeChanged.fromPartial({ created, node, ...cause })).finish(),
});

export function nodesDeleted(
  ownerId: string,
  nodes: readonly { nodeId: string; class: string; workspaceId: string; sourceId: string }[],
  timeMs: number,
): OutboxMessage[] {
  const messages: OutboxMessage[] = [];
  for (let from = 0; from < nodes.length; from += DELETED_PER_MESSAGE) {
    const part = nodes.slice(from, from + DELETED_PER_MESSAGE);
    messages.push({
      subject: 'nodes.node.deleted.v1',
      data: NodesDeleted.encode(NodesDeleted.fromPartial({ ownerId, nodes: part, timeMs })).finish(),
    });
  }
  return messages;
}
