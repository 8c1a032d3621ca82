import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';

/** Reads those of the nodes that somebody is subscribed to, by id. */
export async function watchedNodes(
  on: Queryable,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, StoredNode>> {
  const { rows } = await on.query<NodeRow>(
    `SELECT ${NODE_COLUMNS} FROM nodes n WHERE n.node_id = ANY ($1) AND EXISTS (SELECT FROM subscriptions s WHERE s.node_id = n.node_id)`,
    [nodeIds],
    'watched-nodes',
  );
  return new Map(rows.map((row) => [row.node_id, toNode(row)]));
}
