import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';

/** A template reaches these nodes. */
export type Reach = {
  /** Nodes of the template. */
  readonly size: number;
  readonly instances: number;
  /** The deepest root of an instance lies this many levels down; a Workspace has 1. */
  readonly deepestRoot: number;
  /** Instances of the account are still to get these nodes. */
  readonly pending: number;
};

export async function reachOfInstances(on: Queryable, templateId: string): Promise<Reach> {
  const { rows } = await on.query<{ size: number; instances: number; deepest: number | null; pending: number }>(
    `WITH RECURSIVE up AS (
       SELECT i.instance_id, n.parent_id, 1 AS depth FROM instances i JOIN nodes n ON n.node_id = i.instance_id
       WHERE i.template_id = $1
       UNION ALL
       SELECT up.instance_id, p.parent_id, up.depth + 1 FROM up JOIN nodes p ON p.node_id = up.parent_id
     ), trees AS (
       SELECT n.node_id AS template_id, n.node_id FROM nodes n
       WHERE n.node_id = $1 OR n.node_id IN (
         SELECT d.template_id FROM templates d JOIN templates t ON t.owner_id = d.owner_id
         WHERE t.template_id = $1 AND d.due_ms IS NOT NULL)
       UNION ALL
       SELECT trees.template_id, c.node_id FROM trees JOIN nodes c ON c.parent_id = trees.node_id
     ), sizes AS (
       SELECT template_id, count(*) AS size FROM trees GROUP BY template_id
     ), behind AS (
       SELECT s.size - (SELECT count(*) FROM nodes n WHERE n.instance_id = i.instance_id) AS missing
       FROM sizes s JOIN templates t USING (template_id) JOIN instances i USING (template_id)
       WHERE i.revision < t.revision
     )
     SELECT (SELECT size FROM sizes WHERE template_id = $1) AS size,
       (SELECT count(*) FROM instances WHERE template_id = $1) AS instances,
       (SELECT max(depth) FROM up) AS deepest,
       (SELECT coalesce(sum(greatest(missing, 0)), 0)::bigint FROM behind) AS pending`,
    [templateId],
    'reach-of-instances',
  );
  const { size, instances, deepest, pending } = rows[0]!;
  return { size, instances, deepestRoot: deepest ?? 0, pending };
}

const BATCH = 500;

/** Reads the nodes of instances that follow a node of a template, in batches. */
export async function* nodesFollowing(on: Queryable, templateNodeId: string): AsyncGenerator<StoredNode[]> {
  for (let after = ''; ; ) {
    const { rows } = await on.query<NodeRow>(
      `SELECT ${NODE_COLUMNS} FROM nodes n WHERE n.template_node_id = $1 AND n.node_id > $2
       ORDER BY n.node_id LIMIT ${BATCH}`,
      [templateNodeId, after],
      'nodes-following',
    );
    if (rows.length > 0) yield rows.map(toNode);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.node_id;
  }
}

/** Counts nodes of a branch, its root included; 0 when there is none. */
export async function countBranch(on: Queryable, nodeId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    `WITH RECURSIVE branch AS (
       SELECT node_id FROM nodes WHERE node_id = $1
       UNION ALL
       SELECT c.node_id FROM branch JOIN nodes c ON c.parent_id = branch.node_id
     ) SELECT count(*) AS n FROM branch`,
    [nodeId],
    'count-branch',
  );
  return rows[0]?.n ?? 0;
}
