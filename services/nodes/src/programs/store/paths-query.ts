import type { Queryable } from '@catchment/pg';
import type { Walk } from '../domain/path.ts';

/** The walk ended at this node, or above it. */
export type WalkedNode = {
  /** The walk that led there. */
  readonly walk: number;
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly parentId: string | null;
  readonly name: string;
};

/** A pattern is tried on this many children of one node. */
export const MAX_CHILDREN = 1_000;

/**
 * Finds where walks lead, all of them in one query, each within its account.
 * @param walks.below all nodes under the end of the walk instead, by name; at most `MAX_CHILDREN` + 1
 */
export async function walkedNodes(
  on: Queryable,
  walks: readonly (Walk & { readonly below: boolean })[],
): Promise<WalkedNode[]> {
  const { rows } = await on.query<{
    walk: number;
    node_id: string;
    owner_id: string;
    workspace_id: string;
    parent_id: string | null;
    name: string;
  }>(
    `WITH RECURSIVE walked AS (
       SELECT a.walk, a.below, a.steps, s.node_id, s.parent_id, 0 AS level
       FROM jsonb_to_recordset($1::jsonb) AS a(walk int, "ownerId" text, "nodeId" text, "customId" text, root text, steps text[], below boolean)
       CROSS JOIN LATERAL (
         SELECT n.node_id, n.parent_id FROM nodes n WHERE n.node_id = a."nodeId" AND n.owner_id = a."ownerId"
         UNION ALL
         SELECT n.node_id, n.parent_id FROM nodes n WHERE n.custom_id = a."customId" AND n.owner_id = a."ownerId"
         UNION ALL
         SELECT n.node_id, n.parent_id FROM nodes n
         WHERE n.parent_id IS NULL AND n.name_key = a.root AND n.owner_id = a."ownerId" AND n.class = 'Workspace'
       ) s
       UNION ALL
       SELECT w.walk, w.below, w.steps, n.node_id, n.parent_id, w.level + 1
       FROM walked w CROSS JOIN LATERAL (
         SELECT p.node_id, p.parent_id FROM nodes p WHERE w.steps[w.level + 1] = '..' AND p.node_id = w.parent_id
         UNION ALL
         SELECT c.node_id, c.parent_id FROM nodes c
         WHERE w.steps[w.level + 1] <> '..' AND c.parent_id = w.node_id AND c.name_key = w.steps[w.level + 1]
       ) n WHERE w.level < cardinality(w.steps)
     ) SELECT w.walk, n.node_id, n.owner_id, n.workspace_id, n.parent_id, n.name
     FROM walked w CROSS JOIN LATERAL (
       SELECT one.* FROM nodes one WHERE NOT w.below AND one.node_id = w.node_id
       UNION ALL
       (SELECT c.* FROM nodes c WHERE w.below AND c.parent_id = w.node_id ORDER BY c.name_key LIMIT ${MAX_CHILDREN + 1})
     ) n WHERE w.level = cardinality(w.steps) ORDER BY w.walk, n.name_key`,
    [JSON.stringify(walks.map((walk, i) => ({ ...walk, walk: i })))],
    'walked-nodes',
  );
  return rows.map((row) => ({
    walk: row.walk,
    nodeId: row.node_id,
    ownerId: row.owner_id,
    workspaceId: row.workspace_id,
    parentId: row.parent_id,
    name: row.name,
  }));
}
