import { NodeConfig } from '@catchment/contracts/nodes';
import type { DaysOf } from '@catchment/node-replica';
import type { Database, Queryable } from '@catchment/pg';
import { isSeries } from '../../series/index.ts';
import type { ExpiringAccounts, ExpiryStep } from '../usecases/expire-records.ts';

/** One step looks at this many nodes. */
const NODES_AT_ONCE = 100;

const DATABASE_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

type AccountRow = {
  owner_id: string;
  days: number;
  cutoff_ms: number | null;
  position: string;
  series: number;
  database_ms: number;
};

/** Keeps the state of sweeps of old records, by account. */
export const pgRecordRetention = (database: Database): ExpiringAccounts => ({
  async follow({ installation, own }: DaysOf, nextMs: number) {
    // Rows that stay as they are are not touched: a step may hold them.
    const { rows } = await database.query<{ owner_id: string; days: number }>(
      `WITH RECURSIVE owners (owner_id) AS (
         (SELECT owner_id FROM node_replica WHERE deleted_time IS NULL ORDER BY owner_id LIMIT 1)
         UNION ALL
         SELECT (SELECT n.owner_id FROM node_replica n WHERE n.deleted_time IS NULL AND n.owner_id > o.owner_id
           ORDER BY n.owner_id LIMIT 1)
         FROM owners o WHERE o.owner_id IS NOT NULL),
       wanted AS (
         SELECT o.owner_id, coalesce(own.days, $3) AS days
         FROM owners o LEFT JOIN unnest($1::text[], $2::int[]) AS own (owner_id, days) ON own.owner_id = o.owner_id
         WHERE coalesce(own.days, $3) > 0),
       gone AS (
         DELETE FROM record_retention WHERE owner_id NOT IN (SELECT owner_id FROM wanted WHERE owner_id IS NOT NULL))
       INSERT INTO record_retention (owner_id, days, next_ms)
       SELECT w.owner_id, w.days, $4 FROM wanted w
       WHERE w.owner_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM record_retention r WHERE r.owner_id = w.owner_id AND r.days = w.days)
       ORDER BY w.owner_id
       ON CONFLICT (owner_id) DO UPDATE SET days = excluded.days, since_time = now(), next_ms = excluded.next_ms,
         cutoff_ms = NULL, position = '', series = 0, swept_to_ms = NULL
       RETURNING owner_id, days`,
      [[...own.keys()], [...own.values()], installation, nextMs],
      'follow-record-days',
    );
    return rows.map(({ owner_id: ownerId, days }) => ({ ownerId, days }));
  },

  step: (nowMs, work) =>
    database.transactionOnce(async (tx) => {
      const { rows } = await tx.query<AccountRow>(
        `SELECT owner_id, days, cutoff_ms, position, series,
           ${DATABASE_MS} AS database_ms
         FROM record_retention WHERE next_ms <= least($1, ${DATABASE_MS}) ORDER BY next_ms LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [nowMs],
        'claim-record-retention',
      );
      return rows[0] && work(stepOf(tx, rows[0]));
    }),

  async defer(ownerId, untilMs) {
    await database.query(
      'UPDATE record_retention SET next_ms = greatest(next_ms, $2) WHERE owner_id = $1',
      [ownerId, untilMs],
      'defer-record-retention',
    );
  },

  async of(ownerId) {
    const { rows } = await database.query<{ days: number; removed_from_ms: number | null }>(
      `SELECT days, CASE WHEN swept_to_ms IS NULL AND cutoff_ms IS NULL THEN next_ms END AS removed_from_ms
       FROM record_retention WHERE owner_id = $1`,
      [ownerId],
      'record-retention-of',
    );
    const [row] = rows;
    return row && { days: row.days, ...(row.removed_from_ms !== null && { removedFromMs: row.removed_from_ms }) };
  },

  async isDueWithin(nowMs, ms) {
    const { rowCount } = await database.query(
      `SELECT FROM record_retention WHERE next_ms <= least($1, ${DATABASE_MS}) + $2 LIMIT 1`,
      [nowMs, ms],
      'due-record-retention',
    );
    return rowCount > 0;
  },
});

const stepOf = (tx: Queryable, row: AccountRow): ExpiryStep => ({
  account: {
    ownerId: row.owner_id,
    days: row.days,
    cutoffMs: row.cutoff_ms ?? undefined,
    position: row.position,
    series: row.series,
    databaseMs: row.database_ms,
  },
  async seriesAfter(position) {
    const { rows } = await tx.query<{ node_id: string; config: Buffer }>(
      `SELECT node_id, config FROM node_replica WHERE owner_id = $1 AND node_id > $2 AND deleted_time IS NULL
       ORDER BY node_id LIMIT $3`,
      [row.owner_id, position, NODES_AT_ONCE],
      'expiring-series',
    );
    const series = rows.map(({ config }) => NodeConfig.decode(config)).filter(isSeries);
    return { series, last: rows.length < NODES_AT_ONCE ? undefined : rows.at(-1)?.node_id };
  },
  async save({ cutoffMs, position, series, nextMs, sweptToMs }) {
    await tx.query(
      `UPDATE record_retention SET cutoff_ms = $2, position = $3, series = $4, next_ms = $5,
         swept_to_ms = coalesce($6, swept_to_ms) WHERE owner_id = $1`,
      [row.owner_id, cutoffMs ?? null, position, series, nextMs, sweptToMs ?? null],
      'save-record-retention',
    );
  },
});
