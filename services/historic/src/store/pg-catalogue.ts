import { NodeConfig } from '@catchment/contracts/nodes';
import type { Database, Queryable } from '@catchment/pg';
import type { CatalogueStore } from '../usecases/ports.ts';

type Row = { config: Buffer; is_deleted: boolean };

/** The catalogue's table; see migrations/0001. */
export const pgCatalogue = (database: Database): CatalogueStore => ({
  async byId(nodeId) {
    const { rows } = await database.query<Row>(
      'SELECT config, is_deleted FROM catalogue WHERE node_id = $1',
      [nodeId],
      'catalogue-by-id',
    );
    const [row] = rows;
    if (row?.is_deleted) return 'deleted';
    return row && NodeConfig.decode(row.config);
  },

  async byCustomId(ownerId, customId) {
    // A customId that moved from one node to another may be on both for a moment: the later change counts.
    const { rows } = await database.query<Row>(
      `SELECT config, is_deleted FROM catalogue
       WHERE owner_id = $1 AND custom_id = $2 AND custom_id <> '' AND NOT is_deleted ORDER BY revision DESC LIMIT 1`,
      [ownerId, customId],
      'catalogue-by-custom-id',
    );
    return rows[0] && NodeConfig.decode(rows[0].config);
  },

  async childrenOf(sourceId, limit) {
    const { rows } = await database.query<Row>(
      'SELECT config, is_deleted FROM catalogue WHERE source_id = $1 AND node_id <> $1 AND NOT is_deleted LIMIT $2',
      [sourceId, limit],
      'catalogue-children',
    );
    return rows.map((row) => NodeConfig.decode(row.config));
  },

  save: (nodes) => save(database, nodes),

  async markDeleted(ownerId, nodes) {
    await database.query(
      `INSERT INTO catalogue (node_id, owner_id, source_id, custom_id, revision, is_deleted, deleted_time, config)
       SELECT node_id, $3, source_id, '', 0, true, now(), '' FROM unnest($1::text[], $2::text[]) AS n(node_id, source_id)
       ON CONFLICT (node_id) DO UPDATE SET is_deleted = true, deleted_time = now(), custom_id = '', config = ''`,
      [nodes.map(({ nodeId }) => nodeId), nodes.map(({ sourceId }) => sourceId), ownerId],
      'catalogue-delete',
    );
  },
});

async function save(on: Queryable, nodes: readonly NodeConfig[]): Promise<void> {
  const newest = new Map<string, NodeConfig>();
  for (const node of nodes)
    if ((newest.get(node.nodeId)?.revision ?? -1) <= node.revision) newest.set(node.nodeId, node);
  // In one order everywhere, so that two savers never wait for one another.
  const kept = [...newest.values()].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  if (kept.length === 0) return;
  await on.query(
    `INSERT INTO catalogue (node_id, owner_id, source_id, custom_id, revision, config)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[])
     ON CONFLICT (node_id) DO UPDATE SET owner_id = EXCLUDED.owner_id, source_id = EXCLUDED.source_id,
       custom_id = EXCLUDED.custom_id, revision = EXCLUDED.revision, config = EXCLUDED.config
     WHERE catalogue.revision < EXCLUDED.revision AND NOT catalogue.is_deleted`,
    [
      kept.map((node) => node.nodeId),
      kept.map((node) => node.ownerId),
      kept.map((node) => node.sourceId),
      kept.map((node) => node.customId),
      kept.map((node) => node.revision),
      kept.map((node) => Buffer.from(NodeConfig.encode(node).finish())),
    ],
    'catalogue-save',
  );
}
