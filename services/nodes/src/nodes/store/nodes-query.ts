import { checkWorkspace, type Scope } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { checkNotClosed, withoutClosed } from '../../rights/index.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from './node-rows.ts';

/**
 * Finds the node that a reference names within a scope.
 * @throws DomainError not_found (also for another account's), permission_denied outside the scope's workspaces
 */
export async function findNode(on: Queryable, scope: Scope, reference: string): Promise<StoredNode> {
  const node = await lookUp(on, scope.ownerId, reference);
  if (!node) throw notFound();
  checkWorkspace(scope, node.workspaceId);
  await checkNotClosed(on, scope, node.nodeId);
  return node;
}

/** Reads the node of the account that a reference names, whatever its workspace. */
export async function lookUp(on: Queryable, ownerId: string, reference: string): Promise<StoredNode | undefined> {
  const ref = parseNodeRef(reference);
  if (!ref) return undefined;
  const { rows } = await on.query<NodeRow>(
    `SELECT ${NODE_COLUMNS} FROM nodes n WHERE ${ref.kind === 'id' ? 'n.node_id' : 'n.custom_id'} = $1 AND n.owner_id = $2`,
    [ref.kind === 'id' ? ref.id : ref.customId, ownerId],
    `node-by-${ref.kind}`,
  );
  return rows[0] && toNode(rows[0]);
}

/** Reads nodes of the account by id, in no order. */
export async function nodesById(on: Queryable, ownerId: string, nodeIds: readonly string[]): Promise<StoredNode[]> {
  const { rows } = await on.query<NodeRow>(
    `SELECT ${NODE_COLUMNS} FROM nodes n WHERE n.node_id = ANY($1) AND n.owner_id = $2`,
    [nodeIds, ownerId],
    'nodes-by-id',
  );
  return rows.map(toNode);
}

/** Nodes directly under a node. */
export async function childrenOf(on: Queryable, ownerId: string, parentId: string): Promise<StoredNode[]> {
  const { rows } = await on.query<NodeRow>(
    `SELECT ${NODE_COLUMNS} FROM nodes n WHERE n.parent_id = $1 AND n.owner_id = $2 ORDER BY n.name_key`,
    [parentId, ownerId],
    'children',
  );
  return rows.map(toNode);
}

/** Reads classes from the workspace down to a node, the node included. */
export async function lineOf(on: Queryable, nodeId: string): Promise<{ nodeId: string; class: string }[]> {
  const { rows } = await on.query<{ node_id: string; class: string }>(
    `WITH RECURSIVE line AS (
       SELECT node_id, parent_id, class, 0 AS above FROM nodes WHERE node_id = $1
       UNION ALL
       SELECT p.node_id, p.parent_id, p.class, line.above + 1 FROM line JOIN nodes p ON p.node_id = line.parent_id
     ) SELECT node_id, class FROM line ORDER BY above DESC`,
    [nodeId],
    'line',
  );
  return rows.map((row) => ({ nodeId: row.node_id, class: row.class }));
}

type BranchNode = { nodeId: string; class: string; workspaceId: string; parentId: string | null };

/** Reads the node and all nodes below it. */
export const branchOf = (on: Queryable, nodeId: string): Promise<BranchNode[]> => branchesOf(on, [nodeId]);

/** Reads nodes and all below them; none of them may lie below another. */
export async function branchesOf(on: Queryable, nodeIds: readonly string[]): Promise<BranchNode[]> {
  const { rows } = await on.query<Pick<NodeRow, 'node_id' | 'class' | 'workspace_id' | 'parent_id'>>(
    `WITH RECURSIVE branch AS (
       SELECT node_id, class, workspace_id, parent_id FROM nodes WHERE node_id = ANY($1)
       UNION ALL
       SELECT c.node_id, c.class, c.workspace_id, c.parent_id FROM branch JOIN nodes c ON c.parent_id = branch.node_id
     ) SELECT * FROM branch`,
    [nodeIds],
    'branches',
  );
  return rows.map((row) => ({
    nodeId: row.node_id,
    class: row.class,
    workspaceId: row.workspace_id,
    parentId: row.parent_id,
  }));
}

/** Reads ids of a node and of all below it, without what is closed to a scope. */
export async function branchIds(on: Queryable, scope: Scope, nodeId: string): Promise<string[]> {
  const values: unknown[] = [nodeId, scope.ownerId];
  const { rows } = await on.query<{ node_id: string }>(
    `WITH RECURSIVE branch AS (
       SELECT node_id FROM nodes WHERE node_id = $1 AND owner_id = $2
       UNION ALL
       SELECT c.node_id FROM branch JOIN nodes c ON c.parent_id = branch.node_id
     ) SELECT node_id FROM branch WHERE TRUE${withoutClosed(scope, 'node_id', values)}`,
    values,
    `branch-ids${scope.closedTo ? '-unless-closed' : ''}`,
  );
  return rows.map((row) => row.node_id);
}

/** Reads a count that triggers maintain: as fast with 100 000 nodes as with one. */
export async function countNodes(on: Queryable, ownerId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    'SELECT node_count AS n FROM owners WHERE owner_id = $1',
    [ownerId],
    'count-nodes',
  );
  return rows[0]?.n ?? 0;
}
