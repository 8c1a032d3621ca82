import { checkWorkspace, type Scope } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { nameKey } from '../../domain/body/names.ts';
import type { Settings, StoredNode } from '../../domain/classes/node.ts';
import { checkNotClosed, withoutClosed } from '../../rights/index.ts';
import { NO_EDGES, NO_REPORT, shownOf } from '../../shown/index.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from './node-rows.ts';

/**
 * The node that a reference names within a scope.
 * @throws DomainError not_found (also for another account's), permission_denied outside the scope's workspaces
 */
export async function findNode(on: Queryable, scope: Scope, reference: string): Promise<StoredNode> {
  const node = await lookUp(on, scope.ownerId, reference);
  if (!node) throw notFound();
  checkWorkspace(scope, node.workspaceId);
  await checkNotClosed(on, scope, node.nodeId);
  return node;
}

/** The node of the account that a reference names, whatever its workspace. */
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

/** Nodes of the account by id, in no order. */
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

/** Classes from the workspace down to a node, the node included. */
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

/** The node and all below it. */
export const branchOf = (on: Queryable, nodeId: string): Promise<BranchNode[]> => branchesOf(on, [nodeId]);

/** Nodes and all below them; none of them may lie below another. */
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

/** Ids of a node and of all below it, without what is closed to a scope. */
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

/** A count that triggers maintain: as fast with 100 000 nodes as with one. */
export async function countNodes(on: Queryable, ownerId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    'SELECT node_count AS n FROM owners WHERE owner_id = $1',
    [ownerId],
    'count-nodes',
  );
  return rows[0]?.n ?? 0;
}

/** A node to be stored, without what the database gives. */
export type NewNode = Omit<StoredNode, 'revision' | 'templateNodeId' | 'instanceId'> &
  Partial<Pick<StoredNode, 'templateNodeId' | 'instanceId'>>;

/** Stores new nodes with their empty row of values. @throws DomainError already_exists by a unique index */
export async function insertNodes(tx: Queryable, nodes: readonly NewNode[]): Promise<void> {
  await tx.query(
    `INSERT INTO nodes (node_id, owner_id, workspace_id, parent_id, class, name, name_key, custom_id, series_key,
       public_id, is_active, created_ms, revision, config, template_node_id, instance_id)
     SELECT node_id, owner_id, workspace_id, parent_id, class, name, name_key, custom_id, series_key, public_id, is_active,
       created_ms, nextval('node_revision'), config, template_node_id, instance_id
     FROM jsonb_to_recordset($1::jsonb) AS r(node_id text, owner_id text, workspace_id text, parent_id text, class text,
       name text, name_key text, custom_id text, series_key text, public_id text, is_active boolean, created_ms bigint,
       config jsonb, template_node_id text, instance_id text)`,
    [JSON.stringify(nodes.map(toRecord))],
    'insert-nodes',
  );
  const shown = nodes.map((node) => shownOf({ ...node, reported: NO_REPORT }, NO_EDGES));
  await tx.query(
    'INSERT INTO node_values (node_id, status, is_stale) SELECT *, false FROM unnest($1::text[], $2::text[])',
    [nodes.map(({ nodeId }) => nodeId), shown.map(({ status }) => status)],
    'insert-values',
  );
}

const toRecord = (node: NewNode) => ({
  node_id: node.nodeId,
  owner_id: node.ownerId,
  workspace_id: node.workspaceId,
  parent_id: node.parentId,
  class: node.class,
  name: node.name,
  name_key: nameKey(node.name),
  custom_id: node.customId,
  series_key: node.seriesKey,
  public_id: node.publicId,
  is_active: node.isActive,
  created_ms: node.createdMs,
  config: node.config,
  template_node_id: node.templateNodeId ?? null,
  instance_id: node.instanceId ?? null,
});

/** Stores what an update made of a node. @throws DomainError already_exists by a unique index */
export async function saveSettings(tx: Queryable, nodeId: string, settings: Settings): Promise<void> {
  await tx.query(
    `UPDATE nodes SET name = $2, name_key = $3, custom_id = $4, series_key = $5, public_id = $6, config = $7,
       revision = nextval('node_revision') WHERE node_id = $1`,
    [
      nodeId,
      settings.name,
      nameKey(settings.name),
      settings.customId,
      settings.seriesKey,
      settings.publicId,
      JSON.stringify(settings.config),
    ],
    'save-settings',
  );
}

/** Says of each node whether it is active. */
export async function saveActive(
  tx: Queryable,
  nodes: readonly { nodeId: string; isActive: boolean }[],
): Promise<void> {
  await tx.query(
    `UPDATE nodes n SET is_active = given.is_active, revision = nextval('node_revision')
     FROM unnest($1::text[], $2::boolean[]) AS given (node_id, is_active) WHERE n.node_id = given.node_id`,
    [nodes.map(({ nodeId }) => nodeId), nodes.map(({ isActive }) => isActive)],
    'save-active',
  );
}

/** A new revision for nodes whose path has changed with an ancestor's name. */
export async function renewRevisions(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE nodes SET revision = nextval('node_revision') WHERE node_id = ANY($1)`,
    [nodeIds],
    'renew-revisions',
  );
}

/** Deletes nodes with their values; links from elsewhere to them become null (docs/reference/node-tree.md#delete). */
export async function deleteNodes(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  // The use case that applies written values locks these rows in this order before it reads the nodes: so the two take turns, for these
  // nodes alone. A later write finds no row to change.
  await tx.query(
    'SELECT FROM node_values WHERE node_id = ANY($1) ORDER BY node_id FOR UPDATE',
    [nodeIds],
    'lock-values-of-deleted',
  );
  await tx.query(
    `UPDATE nodes SET config = config - 'coordinateSourceId', revision = nextval('node_revision')
     WHERE config ->> 'coordinateSourceId' = ANY($1) AND NOT node_id = ANY($1)`,
    [nodeIds],
    'unlink-coordinates',
  );
  await tx.query(
    `UPDATE nodes SET config = config - 'imageSourceId', revision = nextval('node_revision')
     WHERE config ->> 'imageSourceId' = ANY($1) AND NOT node_id = ANY($1)`,
    [nodeIds],
    'unlink-images',
  );
  await releaseFiles(tx, nodeIds);
  await rememberPlaces(tx, nodeIds);
  await tx.query('DELETE FROM nodes WHERE node_id = ANY($1)', [nodeIds], 'delete-nodes');
}

/**
 * Notes where nodes are that are about to be deleted or moved: streams report to those who see them there that they are
 * gone.
 */
export async function rememberPlaces(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO gone_nodes (node_id, owner_id, workspace_id, created_ms, closed_to)
     SELECT n.node_id, n.owner_id, n.workspace_id, n.created_ms,
       CASE WHEN EXISTS (SELECT FROM closed_nodes any_closed WHERE any_closed.owner_id = n.owner_id) THEN ARRAY (
         WITH RECURSIVE line AS (
           SELECT n.node_id, n.parent_id
           UNION ALL
           SELECT p.node_id, p.parent_id FROM line JOIN nodes p ON p.node_id = line.parent_id
         ) SELECT coalesce(c.user_id, c.group_id) FROM line JOIN closed_nodes c USING (node_id)) ELSE '{}' END
     FROM nodes n WHERE n.node_id = ANY($1)`,
    [nodeIds],
    'remember-places',
  );
}

/** Files of nodes that are about to be deleted: the sweep checks whether other nodes name them. */
async function releaseFiles(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE files SET due_ms = 0 WHERE file_id IN (
       SELECT config -> 'file' ->> 'id' FROM nodes WHERE node_id = ANY($1) AND class = 'Attachment')`,
    [nodeIds],
    'release-files',
  );
}
