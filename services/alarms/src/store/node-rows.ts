import * as replica from '@catchment/node-replica';
import type { Queryable } from '@catchment/pg';
import { type Node, toNode } from '../domain/node.ts';

export async function readNodes(on: Queryable, nodeIds: readonly string[]): Promise<Map<string, Node | undefined>> {
  const stored = await replica.readNodes(on, nodeIds);
  return new Map([...stored].map(([nodeId, node]) => [nodeId, node === 'deleted' ? undefined : toNode(node)]));
}

/** Locked against changes and deletion: what a batch is evaluated by holds until it is stored. */
export async function lockNodes(
  tx: Queryable,
  nodeIds: readonly string[],
): Promise<Map<string, { node: Node; isSourceEnabled: boolean }>> {
  const locked = await replica.lockNodes(tx, nodeIds);
  return new Map(
    [...locked].map(([nodeId, { node, source }]) => {
      // A source that is not known yet is taken for enabled: it is new.
      const isSourceEnabled = source?.source?.isEnabled ?? true;
      return [nodeId, { node: toNode(node), isSourceEnabled }];
    }),
  );
}

/** Removes all that is held of the nodes, and remembers that they are gone. */
export async function forgetNodes(
  tx: Queryable,
  ownerId: string,
  nodes: readonly replica.DeletedNode[],
): Promise<void> {
  await replica.markDeleted(tx, ownerId, nodes);
  const nodeIds = nodes.map(({ nodeId }) => nodeId);
  await tx.query('DELETE FROM series WHERE node_id = ANY($1::text[])', [nodeIds]);
  await tx.query('DELETE FROM alarms WHERE node_id = ANY($1::text[])', [nodeIds]);
}
