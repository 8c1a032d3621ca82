import { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import type { Database, Queryable } from '@catchment/pg';
import { DEFAULT_SHARD } from '../../records/index.ts';
import type { ShardAssignments, ShardRow, ShardTable } from '../usecases/ports.ts';

/** Every replica has heard of a new shard after this time, and has ended what it had begun before: it is longer than a batch may take. */
const HEARD_AFTER = `interval '30 seconds'`;
const NODES_AT_ONCE = 5_000;

/** PostgreSQL has the shards and what is assigned to them. */
export const pgShardTable = (database: Database, partitions: number): ShardTable => ({
  async register(names) {
    return database.transaction(async (tx) => {
      await tx.query('LOCK TABLE shards IN SHARE ROW EXCLUSIVE MODE');
      await tx.query(
        `INSERT INTO shards (name) SELECT name FROM unnest($1::text[]) AS new (name)
         WHERE NOT EXISTS (SELECT FROM shards s WHERE s.name = new.name)`,
        [names],
      );
      // A writer that has not begun holds up what is settled.
      await tx.query(
        `INSERT INTO shard_claims (partition, shard) SELECT p, s FROM generate_series(0, $1::int - 1) p,
           unnest($2::text[]) s ON CONFLICT DO NOTHING`,
        [partitions, [DEFAULT_SHARD, ...names]],
      );
      const { rows } = await tx.query<{ name: string; number: number }>('SELECT name, number FROM shards');
      return new Map(rows.map(({ name, number }) => [name, number]));
    });
  },

  async hasAny() {
    const { rows } = await database.query('SELECT FROM shards LIMIT 1', [], 'has-shards');
    return rows.length > 0;
  },

  async activate() {
    const { rows } = await database.query<{ name: string }>(
      `SELECT name FROM shards WHERE NOT is_active AND
         (registered_time < now() - ${HEARD_AFTER} OR NOT EXISTS (SELECT FROM node_replica))`,
      [],
      'shards-to-activate',
    );
    if (rows.length === 0) return;
    await keepPlaces(database);
    await database.query('UPDATE shards SET is_active = true WHERE name = ANY($1::text[])', [
      rows.map(({ name }) => name),
    ]);
  },

  async list() {
    const { rows } = await database.query<{
      name: string;
      number: number;
      is_active: boolean;
      is_drained: boolean;
      workspaces: number;
      series: number;
    }>(
      `SELECT s.name, s.number, s.is_active, s.is_drained,
         (SELECT count(*) FROM workspace_shards w WHERE w.shard = s.name) AS workspaces,
         (SELECT count(*) FROM series_shards o WHERE o.shard = s.name) AS series
       FROM (SELECT name, number, is_active, is_drained FROM shards UNION ALL SELECT $1, 0, true, false) s ORDER BY s.number`,
      [DEFAULT_SHARD],
    );
    return rows.map(
      ({ is_active, is_drained, ...row }): ShardRow => ({ ...row, isActive: is_active, isDrained: is_drained }),
    );
  },

  isActive: (shard) => isActive(database, shard),

  async workspaces(limit) {
    const { rows } = await database.query<{ workspace_id: string; shard: string }>(
      'SELECT workspace_id, shard FROM workspace_shards ORDER BY shard, workspace_id LIMIT $1',
      [limit],
    );
    return rows.map(({ workspace_id, shard }) => ({ workspaceId: workspace_id, shard }));
  },

  assign: (workspaceId, shard) => assignWorkspace(database, workspaceId, shard),

  async drain(shard, isDrained) {
    const { rowCount } = await database.query('UPDATE shards SET is_drained = $2 WHERE name = $1', [shard, isDrained]);
    return rowCount > 0;
  },

  async remove(shard) {
    await database.transaction(async (tx) => {
      await tx.query('LOCK TABLE shards IN SHARE ROW EXCLUSIVE MODE');
      // Series of nodes that are gone need no shard: their records go with the InfluxDB.
      for (const [table, id] of [
        ['series_shards', 'node_id'],
        ['workspace_shards', 'workspace_id'],
      ])
        await tx.query(
          `DELETE FROM ${table} p WHERE shard = $1
           AND NOT EXISTS (SELECT FROM node_replica n WHERE n.node_id = p.${id} AND n.deleted_time IS NULL)`,
          [shard],
        );
      const { rows } = await tx.query<{ what: string }>(
        `SELECT 'series' AS what FROM series_shards WHERE shard = $1
         UNION SELECT 'workspaces that are assigned to it' FROM workspace_shards WHERE shard = $1
         UNION SELECT 'records of a move' FROM shard_portions
           WHERE $1 IN (from_shard, to_shard) AND state NOT IN ('moved', 'cancelled')`,
        [shard],
      );
      if (rows.length > 0) {
        const what = rows.map((row) => row.what).join(', ');
        throw new DomainError('failed_precondition', 'SHARD_IN_USE', `shard: ${shard} has ${what}; move them first`);
      }
      await tx.query('DELETE FROM shards WHERE name = $1', [shard]);
      await tx.query('DELETE FROM shard_claims WHERE shard = $1', [shard]);
    });
  },
});

export async function isActive(on: Queryable, shard: string): Promise<boolean> {
  if (shard === DEFAULT_SHARD) return true;
  const { rows } = await on.query('SELECT FROM shards WHERE name = $1 AND is_active', [shard]);
  return rows.length > 0;
}

export async function assignWorkspace(on: Queryable, workspaceId: string, shard: string): Promise<void> {
  await on.query(
    `INSERT INTO workspace_shards (workspace_id, shard) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET shard = excluded.shard, assigned_time = now()`,
    [workspaceId, shard],
  );
}

/** All that there is now stays at `default` until it is moved. The statement may run again. */
async function keepPlaces(database: Database): Promise<void> {
  let after = '';
  for (;;) {
    const { rows } = await database.query<{ node_id: string; config: Buffer }>(
      'SELECT node_id, config FROM node_replica WHERE node_id > $1 AND deleted_time IS NULL ORDER BY node_id LIMIT $2',
      [after, NODES_AT_ONCE],
    );
    const last = rows.at(-1);
    if (!last) return;
    after = last.node_id;
    await database.query(
      `WITH assigned AS (
         INSERT INTO series_shards (node_id, shard) SELECT unnest($1::text[]), $3 ON CONFLICT DO NOTHING)
       INSERT INTO workspace_shards (workspace_id, shard) SELECT unnest($2::text[]), $3 ON CONFLICT DO NOTHING`,
      [
        rows.map(({ node_id }) => node_id),
        [...new Set(rows.map(({ config }) => NodeConfig.decode(config).workspaceId))].filter(Boolean),
        DEFAULT_SHARD,
      ],
    );
  }
}

/** Shards that take new workspaces. */
const OPEN = 'SELECT name FROM shards WHERE is_active AND NOT is_drained AND name = ANY($4::text[])';
const FEWEST = `SELECT name FROM (${OPEN} UNION ALL SELECT '${DEFAULT_SHARD}') a
  ORDER BY name = ANY($3::text[]), (SELECT count(*) FROM series_shards o WHERE o.shard = a.name),
    (SELECT count(*) FROM workspace_shards w WHERE w.shard = a.name), name LIMIT 1`;

/** @param names shards of this replica's settings: a shard that is taken out of them gets nothing new */
export const pgShardAssignments = (database: Database, names: readonly string[]): ShardAssignments => ({
  async assign(series, newShard, refused) {
    const workspaces = [...new Set(series.map(({ workspaceId }) => workspaceId))];
    const { rows: unknown } = await database.query<{ workspace_id: string }>(
      'SELECT unnest($1::text[]) AS workspace_id EXCEPT SELECT workspace_id FROM workspace_shards',
      [workspaces],
      'unknown-workspaces',
    );
    for (const { workspace_id } of unknown)
      await database.query(
        `INSERT INTO workspace_shards (workspace_id, shard)
         SELECT $1, CASE WHEN $2 = '${DEFAULT_SHARD}' THEN $2
           ELSE coalesce((SELECT name FROM (${OPEN}) o WHERE name = $2), (${FEWEST})) END
         ON CONFLICT DO NOTHING`,
        [workspace_id, newShard ?? null, [...refused], names],
      );
    await database.query(
      `INSERT INTO series_shards (node_id, shard)
       SELECT n.node_id, w.shard FROM unnest($1::text[], $2::text[]) AS n (node_id, workspace_id)
       JOIN workspace_shards w USING (workspace_id) ORDER BY n.node_id ON CONFLICT DO NOTHING`,
      [series.map(({ nodeId }) => nodeId), series.map(({ workspaceId }) => workspaceId)],
      'place-series',
    );
  },
});
