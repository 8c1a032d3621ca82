import type { Queryable } from '@catchment/pg';
import type { TakenReport } from '../usecases/ports.ts';

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
