import { NodeConfig } from '@catchment/contracts/nodes';
import type { Queryable } from '@catchment/pg';
import { type Node, toNode } from '../domain/node.ts';
import type { StoredConfig } from '../usecases/ports.ts';

type NodeRow = { node_id: string; config: Buffer; deleted: boolean };
type LockedRow = { config: Buffer; source_config: Buffer | null };

const fromBytes = (data: Uint8Array): Node => toNode(NodeConfig.decode(data));

export async function readNodes(on: Queryable, nodeIds: readonly string[]): Promise<Map<string, Node | undefined>> {
  const { rows } = await on.query<NodeRow>(
    'SELECT node_id, config, deleted_at IS NOT NULL AS deleted FROM node_configs WHERE node_id = ANY($1::text[])',
    [nodeIds],
    'read-nodes',
  );
  return new Map(rows.map((row) => [row.node_id, row.deleted ? undefined : fromBytes(row.config)]));
}

/** Locked against changes and deletion: what a batch is evaluated by holds until it is stored. */
export async function lockNodes(
  tx: Queryable,
  nodeIds: readonly string[],
): Promise<Map<string, { node: Node; isSourceEnabled: boolean }>> {
  const { rows } = await tx.query<LockedRow>(
    `SELECT n.config, s.config AS source_config
     FROM node_configs n LEFT JOIN node_configs s ON s.node_id = n.source_id AND s.deleted_at IS NULL
     WHERE n.node_id = ANY($1::text[]) AND n.deleted_at IS NULL ORDER BY n.node_id FOR SHARE OF n`,
    [nodeIds],
    'lock-nodes',
  );
  return new Map(
    rows.map((row) => {
      const node = fromBytes(row.config);
      // A source that is not known yet is taken for enabled: it is new.
      const isSourceEnabled = (row.source_config && fromBytes(row.source_config).isEnabled) ?? true;
      return [node.nodeId, { node, isSourceEnabled }];
    }),
  );
}

export async function saveNodes(tx: Queryable, configs: readonly StoredConfig[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ node_id: string }>(
    `INSERT INTO node_configs AS n (node_id, owner_id, source_id, revision, config)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bytea[]) AS c(id, owner, source, rev, data)
     ORDER BY c.id
     ON CONFLICT (node_id) DO UPDATE
       SET owner_id = excluded.owner_id, source_id = excluded.source_id, revision = excluded.revision, config = excluded.config
       WHERE n.revision < excluded.revision AND n.deleted_at IS NULL
     RETURNING node_id`,
    [
      configs.map(({ node }) => node.nodeId),
      configs.map(({ node }) => node.ownerId),
      configs.map(({ node }) => node.sourceId),
      configs.map(({ node }) => node.revision),
      configs.map(({ data }) => Buffer.from(data)),
    ],
    'save-nodes',
  );
  return new Set(rows.map((row) => row.node_id));
}

/** Removes all that is held of the nodes, and remembers that they are gone. */
export async function forgetNodes(
  tx: Queryable,
  nodes: readonly { nodeId: string; sourceId: string; ownerId: string }[],
): Promise<void> {
  const nodeIds = nodes.map((node) => node.nodeId);
  await tx.query(
    `INSERT INTO node_configs AS n (node_id, owner_id, source_id, revision, config, deleted_at)
     SELECT c.id, c.owner, c.source, 0, '', now() FROM unnest($1::text[], $2::text[], $3::text[]) AS c(id, owner, source)
     ORDER BY c.id
     ON CONFLICT (node_id) DO UPDATE SET config = '', deleted_at = coalesce(n.deleted_at, now())`,
    [nodeIds, nodes.map((node) => node.ownerId), nodes.map((node) => node.sourceId)],
  );
  for (const table of ['series', 'alarms', 'waiting_entries'])
    await tx.query(`DELETE FROM ${table} WHERE node_id = ANY($1::text[])`, [nodeIds]);
}
