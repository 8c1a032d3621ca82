import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';

/**
 * Reads the node and all below it as stored, depth first, children by name: the order of answers
 * (docs/reference/query-arguments.md#trees, docs/reference/node-tree.md#clone).
 * @param limit no more than this many
 */
export async function wholeBranch(on: Queryable, nodeId: string, limit: number): Promise<StoredNode[]> {
  const { rows } = await on.query<NodeRow>(
    `WITH RECURSIVE branch AS (
       SELECT node_id, ARRAY[]::text[] COLLATE "C" AS trail FROM nodes WHERE node_id = $1
       UNION ALL
       SELECT c.node_id, branch.trail || c.name_key FROM branch JOIN nodes c ON c.parent_id = branch.node_id
     ) SELECT ${NODE_COLUMNS} FROM branch JOIN nodes n USING (node_id) ORDER BY branch.trail LIMIT $2`,
    [nodeId, limit],
    'whole-branch',
  );
  return rows.map(toNode);
}

/** Reads ids of the account's nodes by `@customId`. */
export async function idsOfCustomIds(
  on: Queryable,
  ownerId: string,
  customIds: readonly string[],
): Promise<[customId: string, nodeId: string][]> {
  if (customIds.length === 0) return [];
  const { rows } = await on.query<{ custom_id: string; node_id: string }>(
    'SELECT custom_id, node_id FROM nodes WHERE owner_id = $1 AND custom_id = ANY($2)',
    [ownerId, customIds.map((customId) => customId.slice(1))],
    'ids-of-custom-ids',
  );
  return rows.map((row) => [`@${row.custom_id}`, row.node_id]);
}

/** Reads ids, names and classes from the workspace down to each of several nodes of the account, the node included. */
export async function linesOf(
  on: Queryable,
  ownerId: string,
  nodeIds: readonly string[],
): Promise<Map<string, Step[]>> {
  const { rows } = await on.query<{
    start_id: string;
    node_id: string;
    name: string;
    class: string;
    workspace: string;
  }>(
    `WITH RECURSIVE line AS (
       SELECT node_id AS start_id, node_id, parent_id, name, class, workspace_id, 0 AS above
       FROM nodes WHERE node_id = ANY($1) AND owner_id = $2
       UNION ALL
       SELECT line.start_id, p.node_id, p.parent_id, p.name, p.class, p.workspace_id, line.above + 1
       FROM line JOIN nodes p ON p.node_id = line.parent_id
     ) SELECT start_id, node_id, name, class, workspace_id AS workspace FROM line ORDER BY above DESC`,
    [nodeIds, ownerId],
    'lines-of',
  );
  const lines = new Map<string, Step[]>();
  for (const { start_id, node_id, name, class: cls, workspace } of rows) {
    const step = { nodeId: node_id, name, class: cls, workspaceId: workspace };
    const line = lines.get(start_id);
    if (line) line.push(step);
    else lines.set(start_id, [step]);
  }
  return lines;
}

export type Step = {
  readonly nodeId: string;
  readonly name: string;
  readonly class: string;
  readonly workspaceId: string;
};

/** Reads the node that names (as `nameKey`) lead to from a node down. */
export async function descend(
  on: Queryable,
  nodeId: string,
  names: readonly string[],
): Promise<{ nodeId: string; class: string } | undefined> {
  const { rows } = await on.query<{ node_id: string; class: string }>(
    `WITH RECURSIVE walk AS (
       SELECT node_id, class, 0 AS level FROM nodes WHERE node_id = $1
       UNION ALL
       SELECT c.node_id, c.class, walk.level + 1
       FROM walk JOIN nodes c ON c.parent_id = walk.node_id AND c.name_key = ($2::text[])[walk.level + 1]
     ) SELECT node_id, class FROM walk WHERE level = cardinality($2::text[])`,
    [nodeId, names],
    'descend',
  );
  return rows[0] && { nodeId: rows[0].node_id, class: rows[0].class };
}
