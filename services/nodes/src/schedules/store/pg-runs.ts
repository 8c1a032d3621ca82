import type { Queryable } from '@catchment/pg';
import type { Addressee, Run, RunEnd, RunKey } from '../usecases/ports.ts';

export async function claimRun(on: Queryable, nowMs: number, leaseMs: number): Promise<Run | undefined> {
  const { rows } = await on.query<Run>(
    `UPDATE report_runs SET attempts = attempts + 1, begun_ms = $1, lease_ms = $1 + $2
     WHERE (node_id, due_ms) = (
       SELECT w.node_id, w.due_ms FROM report_runs w WHERE NOT w.is_over AND w.lease_ms <= $1
       ORDER BY (SELECT max(o.begun_ms) FROM report_runs o WHERE o.owner_id = w.owner_id), w.due_ms, w.node_id
       LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING node_id AS "nodeId", owner_id AS "ownerId", due_ms AS "dueMs", attempts AS attempt`,
    [nowMs, leaseMs],
    'claim-report-run',
  );
  return rows[0];
}

export async function giveBackRun(on: Queryable, { nodeId, dueMs, attempt }: Run): Promise<void> {
  await on.query(
    `UPDATE report_runs SET attempts = attempts - 1, lease_ms = 0
     WHERE node_id = $1 AND due_ms = $2 AND attempts = $3 AND NOT is_over`,
    [nodeId, dueMs, attempt],
    'give-back-report-run',
  );
}

export async function endRun(tx: Queryable, { nodeId, dueMs, attempt }: Run, end: RunEnd): Promise<boolean> {
  const [fileId, problem] = 'fileId' in end ? [end.fileId, null] : [null, end.problem];
  const { rowCount } = await tx.query(
    `UPDATE report_runs SET is_over = true, file_id = $4, problem = $5
     WHERE node_id = $1 AND due_ms = $2 AND attempts = $3 AND NOT is_over`,
    [nodeId, dueMs, attempt, fileId, problem],
    'end-report-run',
  );
  return rowCount === 1;
}

export async function openMails(tx: Queryable, { nodeId, dueMs }: RunKey, to: readonly Addressee[]): Promise<void> {
  await tx.query(
    'UPDATE report_runs SET open_mails = $3 WHERE node_id = $1 AND due_ms = $2',
    [nodeId, dueMs, to.length],
    'open-report-mails',
  );
  await tx.query(
    `INSERT INTO report_mails (node_id, due_ms, user_id, email)
     SELECT $1, $2, * FROM unnest($3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
    [nodeId, dueMs, to.map(({ userId }) => userId), to.map(({ email }) => email)],
    'note-report-mails',
  );
}

export async function closeMail(
  tx: Queryable,
  { nodeId, dueMs, userId }: RunKey & { readonly userId: string },
  problem: string | null,
): Promise<string | undefined> {
  await tx.query(
    'UPDATE report_mails SET is_over = true, problem = $4 WHERE node_id = $1 AND due_ms = $2 AND user_id = $3',
    [nodeId, dueMs, userId, problem],
    'end-report-mail',
  );
  const { rows } = await tx.query<{ file_id: string | null; open_mails: number }>(
    `UPDATE report_runs SET open_mails = open_mails - 1 WHERE node_id = $1 AND due_ms = $2 AND open_mails > 0
     RETURNING file_id, open_mails`,
    [nodeId, dueMs],
    'close-report-mail',
  );
  const [row] = rows;
  return row?.open_mails === 0 ? (row.file_id ?? undefined) : undefined;
}

/** Longer than their files are kept: people look back (docs/reference/dashboards-and-reports.md#runs). */
const RUNS_KEPT_MS = 31 * 86_400_000;

export async function forgetRuns(on: Queryable, nowMs: number): Promise<void> {
  const sql = 'DELETE FROM report_runs WHERE is_over AND due_ms < $1';
  await on.query(sql, [nowMs - RUNS_KEPT_MS], 'forget-report-runs');
}

export async function askForRun(
  tx: Queryable,
  { nodeId, ownerId, dueMs, askedBy }: RunKey & { readonly ownerId: string; readonly askedBy: string },
): Promise<void> {
  await tx.query(
    'INSERT INTO report_runs (node_id, due_ms, owner_id, asked_by) VALUES ($1, $2, $3, $4)',
    [nodeId, dueMs, ownerId, askedBy],
    'ask-for-report-run',
  );
}
