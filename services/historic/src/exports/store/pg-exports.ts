import type { ApiCaller } from '@catchment/access';
import { DomainError } from '@catchment/errors';
import type { Database, Queryable } from '@catchment/pg';
import { type Export, type ExportPlan, KEPT_HOURS } from '../domain/export.ts';
import type { ClaimedExport, Exports } from '../usecases/ports.ts';

const LEASE = `interval '30 seconds'`;
/** This many exports of an account run at once, over all replicas. */
const OF_ONE_ACCOUNT = 1;
const KEPT = `interval '${KEPT_HOURS} hours'`;

type Row = {
  export_id: string;
  owner_id: string;
  plan: ExportPlan;
  state: Export['state'];
  series_done: number;
  records: number;
  size_bytes: number | null;
  failure: string | null;
  created_ms: number;
  ended_ms: number | null;
};

const COLUMNS = `export_id, owner_id, plan, series_done, records, size_bytes, failure,
  CASE WHEN failure IS NOT NULL THEN 'FAILED' WHEN ended_time IS NOT NULL THEN 'DONE'
       WHEN lease_until >= now() THEN 'RUNNING' ELSE 'WAITING' END AS state,
  floor(1000 * extract(epoch FROM created_time))::float8 AS created_ms,
  floor(1000 * extract(epoch FROM ended_time))::float8 AS ended_ms`;
const VISIBLE = `(ended_time IS NULL OR ended_time > now() - ${KEPT})`;

const toExport = (row: Row): Export => ({
  exportId: row.export_id,
  ownerId: row.owner_id,
  plan: row.plan,
  state: row.state,
  seriesDone: row.series_done,
  records: row.records,
  sizeBytes: row.size_bytes,
  failure: row.failure,
  createdMs: row.created_ms,
  endedMs: row.ended_ms,
});

/** Exports in PostgreSQL. */
export function pgExports(database: Database): Exports {
  const claimed = (on: Queryable, sql: string, values: readonly unknown[], name: string) =>
    on.query<Row>(`SELECT ${COLUMNS} FROM exports WHERE ${VISIBLE} AND ${sql}`, values as unknown[], name);
  return {
    count: async (ownerId) => {
      const { rows } = await database.query<{ n: number }>(
        `SELECT count(*) AS n FROM exports WHERE owner_id = $1 AND ${VISIBLE}`,
        [ownerId],
        'count-exports',
      );
      return rows[0]?.n ?? 0;
    },
    insert: async ({ exportId, caller, plan }) => {
      await database.query(
        'INSERT INTO exports (export_id, owner_id, user_id, plan, caller) VALUES ($1, $2, $3, $4, $5)',
        [exportId, caller.ownerId, caller.userId, JSON.stringify(plan), JSON.stringify(caller)],
        'insert-export',
      );
    },
    list: async ({ ownerId, userId }) => {
      const { rows } = await claimed(
        database,
        'owner_id = $1 AND user_id = $2 ORDER BY created_time DESC, export_id DESC',
        [ownerId, userId],
        'list-exports',
      );
      return rows.map(toExport);
    },
    find: async ({ ownerId, userId }, exportId) => {
      const { rows } = await claimed(
        database,
        'owner_id = $1 AND user_id = $2 AND export_id = $3',
        [ownerId, userId, exportId],
        'find-export',
      );
      const [row] = rows;
      return row && toExport(row);
    },
    remove: async ({ ownerId, userId }, exportId) => {
      const { rowCount } = await database.query(
        `DELETE FROM exports WHERE owner_id = $1 AND user_id = $2 AND export_id = $3 AND ${VISIBLE}`,
        [ownerId, userId, exportId],
        'remove-export',
      );
      return rowCount === 1;
    },
    readSegment: async (exportId, segment) => {
      const { rows } = await database.query<{ bytes: Buffer }>(
        'SELECT bytes FROM export_segments WHERE export_id = $1 AND segment = $2',
        [exportId, segment],
        'read-export-segment',
      );
      return rows[0]?.bytes;
    },
    claim: (leaseId) => claim(database, leaseId),
    saveSegment: async (exportId, leaseId, { segment, bytes }) => {
      const { rowCount } = await database.query(
        `WITH held AS (UPDATE exports SET lease_until = now() + ${LEASE}
           WHERE export_id = $1 AND lease_id = $2 AND ended_time IS NULL RETURNING export_id)
         INSERT INTO export_segments (export_id, segment, bytes) SELECT export_id, $3, $4 FROM held`,
        [exportId, leaseId, segment, bytes],
        'save-export-segment',
      );
      if (rowCount === 0) throw lost();
    },
    progress: async (exportId, leaseId, { seriesDone, records }) => {
      const { rowCount } = await database.query(
        `UPDATE exports SET lease_until = now() + ${LEASE}, series_done = $3, records = $4
         WHERE export_id = $1 AND lease_id = $2 AND ended_time IS NULL`,
        [exportId, leaseId, seriesDone, records],
        'save-export-progress',
      );
      if (rowCount === 0) throw lost();
    },
    complete: async (exportId, leaseId, sizeBytes) => {
      const { rowCount } = await database.query(
        `UPDATE exports SET size_bytes = $3, ended_time = now(), lease_until = '-infinity'
         WHERE export_id = $1 AND lease_id = $2 AND ended_time IS NULL`,
        [exportId, leaseId, sizeBytes],
        'complete-export',
      );
      if (rowCount === 0) throw lost();
    },
    fail: async (exportId, leaseId, failure) => {
      await database.transaction(async (tx) => {
        const { rowCount } = await tx.query(
          `UPDATE exports SET failure = $3, ended_time = now(), lease_until = '-infinity'
           WHERE export_id = $1 AND lease_id = $2 AND ended_time IS NULL`,
          [exportId, leaseId, failure],
          'fail-export',
        );
        if (rowCount === 1) await dropSegments(tx, exportId);
      });
    },
    release: async (exportId, leaseId, { counts, waitSeconds }) => {
      await database.query(
        `UPDATE exports SET lease_until = '-infinity', next_try = now() + make_interval(secs => $4),
           tries = tries - CASE WHEN $3 THEN 0 ELSE 1 END
         WHERE export_id = $1 AND lease_id = $2 AND ended_time IS NULL`,
        [exportId, leaseId, counts, waitSeconds],
        'release-export',
      );
    },
    sweep: async () => {
      await database.query(`DELETE FROM exports WHERE ended_time < now() - ${KEPT}`, [], 'sweep-exports');
    },
  };
}

const lost = () => new DomainError('cancelled', 'EXPORT_TAKEN', 'The export was taken by another process, or is gone');
const dropSegments = (on: Queryable, exportId: string) =>
  on.query('DELETE FROM export_segments WHERE export_id = $1', [exportId], 'drop-export-segments');

/**
 * Takes the oldest export that waits, in an account that does not have too many in work, and removes what an earlier
 * attempt has left of its file.
 */
async function claim(database: Database, leaseId: string): Promise<ClaimedExport | undefined> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ export_id: string; plan: ExportPlan; caller: ApiCaller; tries: number }>(
      `UPDATE exports SET lease_id = $1, lease_until = now() + ${LEASE}, tries = tries + 1, series_done = 0, records = 0
       WHERE export_id = (
         SELECT e.export_id FROM exports e
         WHERE e.ended_time IS NULL AND e.lease_until < now() AND e.next_try <= now()
           AND (SELECT count(*) FROM exports r
                WHERE r.owner_id = e.owner_id AND r.ended_time IS NULL AND r.lease_until >= now()) < $2
         ORDER BY e.created_time LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING export_id, plan, caller, tries`,
      [leaseId, OF_ONE_ACCOUNT],
      'claim-export',
    );
    const [row] = rows;
    if (!row) return undefined;
    await dropSegments(tx, row.export_id);
    return { exportId: row.export_id, plan: row.plan, caller: row.caller, tries: row.tries };
  });
}
