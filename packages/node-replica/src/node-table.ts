import { NodeConfig } from '@catchment/contracts/nodes';
import type { NodesDeleted_DeletedNode } from '@catchment/contracts/nodes-messages';
import { type Database, deleteInBatches, type Queryable } from '@catchment/pg';

/** A deleted node. */
export type DeletedNode = Pick<NodesDeleted_DeletedNode, 'nodeId' | 'sourceId'>;

type Row = { node_id: string; config: Buffer; is_deleted: boolean };

/** The bus keeps domain messages for a week: after this time nothing of a deleted node can come any more. */
const DELETED_KEPT_MS = 30 * 86_400_000;

/** Nodes as they are stored, by id; unknown ones are missing. */
export async function readNodes(
  on: Queryable,
  nodeIds: readonly string[],
): Promise<Map<string, NodeConfig | 'deleted'>> {
  const { rows } = await on.query<Row>(
    'SELECT node_id, config, deleted_time IS NOT NULL AS is_deleted FROM node_replica WHERE node_id = ANY($1::text[])',
    [nodeIds],
    'read-nodes',
  );
  return new Map(rows.map((row) => [row.node_id, row.is_deleted ? 'deleted' : NodeConfig.decode(row.config)]));
}

/** Reads nodes of an account by customId. One that moved to another node may be on both for a moment: the later change counts. */
export async function readCustomIds(
  on: Queryable,
  ownerId: string,
  customIds: readonly string[],
): Promise<NodeConfig[]> {
  const { rows } = await on.query<Pick<Row, 'config'>>(
    `SELECT DISTINCT ON (custom_id) config FROM node_replica
     WHERE owner_id = $1 AND custom_id = ANY($2::text[]) AND custom_id <> '' AND deleted_time IS NULL
     ORDER BY custom_id, revision DESC`,
    [ownerId, customIds],
    'read-custom-ids',
  );
  return rows.map(({ config }) => NodeConfig.decode(config));
}

/** Returns the nodes with one of these sources as their `sourceId`, without the sources themselves. @param limit of each source */
export async function nodesOfSources(
  on: Queryable,
  sources: readonly Pick<NodeConfig, 'sourceId' | 'ownerId'>[],
  limit: number,
): Promise<NodeConfig[]> {
  const { rows } = await on.query<Pick<Row, 'config'>>(
    `SELECT found.config FROM unnest($1::text[], $2::text[]) AS s (source_id, owner_id)
     CROSS JOIN LATERAL (
       SELECT n.config FROM node_replica n
       WHERE n.source_id = s.source_id AND n.owner_id = s.owner_id AND n.node_id <> s.source_id AND n.deleted_time IS NULL
       LIMIT $3) found`,
    [sources.map(({ sourceId }) => sourceId), sources.map(({ ownerId }) => ownerId), limit],
    'nodes-of-sources',
  );
  return rows.map(({ config }) => NodeConfig.decode(config));
}

/**
 * Returns live nodes with their sources, by id. The nodes stay locked against changes and deletion until the transaction ends, so
 * that decisions based on them hold until they are stored.
 * @returns `source` is missing as long as it is not known
 */
export async function lockNodes(
  tx: Queryable,
  nodeIds: readonly string[],
): Promise<Map<string, { node: NodeConfig; source: NodeConfig | undefined }>> {
  const { rows } = await tx.query<{ node_id: string; config: Buffer; source_config: Buffer | null }>(
    `SELECT n.node_id, n.config, s.config AS source_config
     FROM node_replica n LEFT JOIN node_replica s ON s.node_id = n.source_id AND s.deleted_time IS NULL
     WHERE n.node_id = ANY($1::text[]) AND n.deleted_time IS NULL ORDER BY n.node_id FOR SHARE OF n`,
    [nodeIds],
    'lock-nodes',
  );
  return new Map(
    rows.map(({ node_id, config, source_config }) => {
      const source = source_config ? NodeConfig.decode(source_config) : undefined;
      return [node_id, { node: NodeConfig.decode(config), source }];
    }),
  );
}

/**
 * Keeps the newer revision of each node; a deleted node stays deleted.
 * @returns the ids of those that were new in this
 */
export async function saveNodes(on: Queryable, nodes: readonly NodeConfig[]): Promise<ReadonlySet<string>> {
  // The order is the same everywhere, so that two savers never wait for one another.
  const kept = newestRevisions(nodes).sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  if (kept.length === 0) return new Set();
  const { rows } = await on.query<{ node_id: string }>(
    `INSERT INTO node_replica AS known (node_id, owner_id, source_id, custom_id, revision, config)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[])
     ON CONFLICT (node_id) DO UPDATE SET owner_id = excluded.owner_id, source_id = excluded.source_id,
       custom_id = excluded.custom_id, revision = excluded.revision, config = excluded.config
     WHERE known.revision < excluded.revision AND known.deleted_time IS NULL
     RETURNING node_id`,
    [
      kept.map((node) => node.nodeId),
      kept.map((node) => node.ownerId),
      kept.map((node) => node.sourceId),
      kept.map((node) => node.customId),
      kept.map((node) => node.revision),
      kept.map((node) => Buffer.from(NodeConfig.encode(node).finish())),
    ],
    'save-nodes',
  );
  return new Set(rows.map((row) => row.node_id));
}

/** Remembers that nodes are gone, so that nothing which is still under way revives them. */
export async function markDeleted(on: Queryable, ownerId: string, nodes: readonly DeletedNode[]): Promise<void> {
  const sources = new Map(nodes.map(({ nodeId, sourceId }) => [nodeId, sourceId]));
  const nodeIds = [...sources.keys()].sort();
  await on.query(
    `INSERT INTO node_replica AS known (node_id, owner_id, source_id, custom_id, revision, config, deleted_time)
     SELECT node_id, $3, source_id, '', 0, '', now() FROM unnest($1::text[], $2::text[]) AS n (node_id, source_id)
     ON CONFLICT (node_id) DO UPDATE
       SET config = '', custom_id = '', deleted_time = coalesce(known.deleted_time, excluded.deleted_time)`,
    [nodeIds, nodeIds.map((nodeId) => sources.get(nodeId)), ownerId],
    'mark-deleted',
  );
}

/** Removes the rows of nodes that were deleted long ago. */
export async function purgeDeleted(database: Database, nowMs: number): Promise<void> {
  const beforeMs = nowMs - DELETED_KEPT_MS;
  await deleteInBatches(database, 'node_replica', 'deleted_time < to_timestamp($1 / 1000.0)', [beforeMs]);
}

/** The newest of each node. */
export function newestRevisions(nodes: readonly NodeConfig[]): NodeConfig[] {
  const newest = new Map<string, NodeConfig>();
  for (const node of nodes)
    if ((newest.get(node.nodeId)?.revision ?? -1) <= node.revision) newest.set(node.nodeId, node);
  return [...newest.values()];
}
