import type { Queryable } from '@catchment/pg';
import type { ScheduledReport } from '../domain/tick.ts';

/** Due times of this report are looked at. */
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

/** Reads the due time that was last taken, Unix ms. */
export async function lastDueOf(on: Queryable, nodeId: string): Promise<number | null> {
  const { rows } = await on.query<{ last_ms: number | null }>(
    'SELECT last_ms FROM report_schedules WHERE node_id = $1',
    [nodeId],
    'last-due-of-report',
  );
  return rows[0]?.last_ms ?? null;
}
