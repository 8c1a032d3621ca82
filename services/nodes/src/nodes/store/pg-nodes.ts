import type { Queryable } from '@catchment/pg';
import { nameKey } from '../../domain/body/names.ts';
import type { Settings } from '../../domain/classes/node.ts';
import { NO_EDGES, NO_REPORT, shownOf } from '../../shown/index.ts';
import type { NewNode } from '../usecases/ports.ts';

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

/** Gives a new revision to nodes whose path has changed with an ancestor's name. */
export async function renewRevisions(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE nodes SET revision = nextval('node_revision') WHERE node_id = ANY($1)`,
    [nodeIds],
    'renew-revisions',
  );
}

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

/** Releases files of nodes that are about to be deleted: the sweep checks whether other nodes name them. */
async function releaseFiles(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE files SET due_ms = 0 WHERE file_id IN (
       SELECT config -> 'file' ->> 'id' FROM nodes WHERE node_id = ANY($1) AND class = 'Attachment')`,
    [nodeIds],
    'release-files',
  );
}
