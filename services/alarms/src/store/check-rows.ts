import type { Queryable } from '@catchment/pg';
import type { Node } from '../domain/node.ts';
import { isWatched, type OutdatedCheck } from '../domain/outdated-check.ts';

type CheckRow = {
  node_id: string;
  quiet_max_ms: number;
  due_ms: number;
  outdated_since_ms: number | null;
  wait_ms: number;
};

export async function watchSources(tx: Queryable, nodes: readonly Node[]): Promise<void> {
  const sources = nodes.filter(({ isEnabled }) => isEnabled !== undefined);
  if (sources.length === 0) return;
  const sorted = sources.sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  const watched = sorted.filter(isWatched);
  await tx.query('DELETE FROM outdated_checks WHERE node_id = ANY($1::text[])', [
    sorted.filter((node) => !isWatched(node)).map(({ nodeId }) => nodeId),
  ]);
  await tx.query(
    `INSERT INTO outdated_checks (node_id, quiet_max_ms) SELECT * FROM unnest($1::text[], $2::bigint[])
     ON CONFLICT (node_id) DO UPDATE SET quiet_max_ms = excluded.quiet_max_ms, due_ms = 0, wait_ms = 0`,
    [watched.map(({ nodeId }) => nodeId), watched.map(({ quietMaxMs }) => quietMaxMs)],
  );
}

/** @param only SQL of those that are concerned */
export async function lookSoon(tx: Queryable, sourceIds: readonly string[], only = 'TRUE'): Promise<void> {
  if (sourceIds.length === 0) return;
  await tx.query(
    `UPDATE outdated_checks SET due_ms = 0, wait_ms = 0 WHERE node_id IN
       (SELECT node_id FROM outdated_checks WHERE node_id = ANY($1::text[]) AND ${only} ORDER BY node_id FOR UPDATE)`,
    [sourceIds],
  );
}

/** Returns none while another replica looks. */
export async function dueChecks(
  tx: Queryable,
  schema: string,
  nowMs: number,
  limit: number,
): Promise<readonly OutdatedCheck[]> {
  const { rows: lock } = await tx.query<{ mine: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtext('outdated-checks'), hashtext($1)) AS mine`,
    [schema],
    'lock-checks',
  );
  if (!lock[0]?.mine) return [];
  const { rows } = await tx.query<CheckRow>(
    'SELECT * FROM outdated_checks WHERE due_ms <= $1 ORDER BY due_ms LIMIT $2',
    [nowMs, limit],
    'due-checks',
  );
  return rows.map((row) => ({
    nodeId: row.node_id,
    quietMaxMs: row.quiet_max_ms,
    dueMs: row.due_ms,
    outdatedSinceMs: row.outdated_since_ms,
    waitMs: row.wait_ms,
  }));
}

export async function saveChecks(
  tx: Queryable,
  before: readonly OutdatedCheck[],
  after: readonly OutdatedCheck[],
): Promise<void> {
  const seen = new Map(before.map(({ nodeId, dueMs }) => [nodeId, dueMs]));
  const sorted = [...after].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  await tx.query(
    `UPDATE outdated_checks SET outdated_since_ms = new.outdated_since_ms, wait_ms = new.wait_ms,
       due_ms = CASE WHEN outdated_checks.due_ms = new.seen_ms THEN new.due_ms ELSE outdated_checks.due_ms END
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
       AS new (node_id, seen_ms, due_ms, outdated_since_ms, wait_ms)
     WHERE outdated_checks.node_id = new.node_id`,
    [
      sorted.map(({ nodeId }) => nodeId),
      sorted.map(({ nodeId }) => seen.get(nodeId)),
      sorted.map(({ dueMs }) => dueMs),
      sorted.map(({ outdatedSinceMs }) => outdatedSinceMs),
      sorted.map(({ waitMs }) => waitMs),
    ],
    'save-checks',
  );
}
