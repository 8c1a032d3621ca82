import type { Queryable } from '@catchment/pg';
import type { ScheduledReport, Tick } from '../domain/tick.ts';

/** A report whose due times are looked at. */
type DueReport = ScheduledReport & {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly class: string;
};

/**
 * Locks rows of reports that are due, or whose due time is out of date, until the transaction ends; those that others have in hand are
 * left to them.
 */
export async function lockDue(tx: Queryable, nowMs: number, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ node_id: string }>(
    `SELECT node_id FROM report_schedules WHERE is_stale OR due_ms <= $1
     ORDER BY is_stale DESC, due_ms, node_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [nowMs, limit],
    'lock-due-reports',
  );
  return rows.map((row) => row.node_id);
}

/** Reports whose rows are locked: read after that, so that no change is overlooked. */
export async function dueReports(tx: Queryable, nodeIds: readonly string[]): Promise<DueReport[]> {
  const { rows } = await tx.query<DueReport>(
    `SELECT s.node_id AS "nodeId", n.owner_id AS "ownerId", n.workspace_id AS "workspaceId", n.class,
       n.config -> 'schedule' AS schedule, coalesce(n.config ->> 'timezone', 'Etc/UTC') AS timezone,
       coalesce((n.config ->> 'timezoneAdjustForDst')::boolean, true) AS "timezoneAdjustForDst",
       w.class = 'Templates' AS "isInTemplate", o.status <> 'ACTIVE' AS "isDisabled",
       s.due_ms AS "dueMs", s.last_ms AS "lastMs", s.is_stale AS "isStale"
     FROM report_schedules s JOIN nodes n USING (node_id) JOIN nodes w ON w.node_id = n.workspace_id
     JOIN owners o ON o.owner_id = n.owner_id
     WHERE s.node_id = ANY ($1)`,
    [nodeIds],
    'due-reports',
  );
  return rows;
}

type TakenReport = Pick<DueReport, 'nodeId' | 'ownerId'> & Tick;

/** Stores when reports are due next, and the runs of those that are due now. */
export async function saveTicks(tx: Queryable, taken: readonly TakenReport[]): Promise<void> {
  await tx.query(
    `UPDATE report_schedules s SET due_ms = t.due_ms, last_ms = coalesce(t.run_ms, s.last_ms), is_stale = false
     FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS t (node_id, due_ms, run_ms) WHERE s.node_id = t.node_id`,
    [taken.map(({ nodeId }) => nodeId), taken.map(({ dueMs }) => dueMs), taken.map(({ runMs }) => runMs)],
    'save-due-reports',
  );
  const runs = taken.filter(({ runMs }) => runMs !== null);
  await tx.query(
    `INSERT INTO report_runs (node_id, due_ms, owner_id) SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])
     ON CONFLICT DO NOTHING`,
    [runs.map(({ nodeId }) => nodeId), runs.map(({ runMs }) => runMs), runs.map(({ ownerId }) => ownerId)],
    'begin-report-runs',
  );
  const missed = taken.filter(({ missedMs }) => missedMs !== null);
  await tx.query(
    `INSERT INTO report_runs (node_id, due_ms, owner_id, is_over, problem)
     SELECT node_id, due_ms, owner_id, true, $4 FROM unnest($1::text[], $2::bigint[], $3::text[]) AS t (node_id, due_ms, owner_id)
     ON CONFLICT DO NOTHING`,
    [
      missed.map(({ nodeId }) => nodeId),
      missed.map(({ missedMs }) => missedMs),
      missed.map(({ ownerId }) => ownerId),
      'it was due an hour ago or more',
    ],
    'note-missed-reports',
  );
}

/** The due time that was last taken, Unix ms. */
export async function lastDueOf(on: Queryable, nodeId: string): Promise<number | null> {
  const { rows } = await on.query<{ last_ms: number | null }>(
    'SELECT last_ms FROM report_schedules WHERE node_id = $1',
    [nodeId],
    'last-due-of-report',
  );
  return rows[0]?.last_ms ?? null;
}
