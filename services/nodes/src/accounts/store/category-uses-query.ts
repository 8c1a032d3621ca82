import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';

/** Reads nodes of an account with a state or an alarm of a notification category, or with one that their instances are to have. */
export async function nodesUsingCategory(on: Queryable, ownerId: string, categoryId: string): Promise<StoredNode[]> {
  const { rows } = await on.query<NodeRow>(
    `SELECT ${NODE_COLUMNS} FROM nodes n WHERE n.owner_id = $1 AND (
       n.config -> 'states' @> jsonb_build_array(jsonb_build_object('categoryId', $2::text))
       OR EXISTS (SELECT FROM jsonb_each(coalesce(n.config -> 'alarms', '{}')) a WHERE a.value ->> 'categoryId' = $2)
       OR position($2 IN (n.config -> 'pushed')::text) > 0
     ) ORDER BY n.node_id`,
    [ownerId, categoryId],
    'nodes-using-category',
  );
  return rows.map(toNode);
}
