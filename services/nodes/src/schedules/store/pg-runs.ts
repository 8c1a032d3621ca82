import type { Queryable } from '@catchment/pg';

/** A report that is to be made for a due time, taken by this process. */
export type Run = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly dueMs: number;
  /** 1 = the first one. */
  readonly attempt: number;
};
type RunKey = Pick<Run, 'nodeId' | 'dueMs'>;

/**
 * Takes a run that waits. Nobody else takes it before `leaseMs` have passed: a replica that dies with one in hand leaves it for another.
 * Accounts take turns; of one account the run that has waited longest comes first.
 */
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

/** The run in hand is left to whoever takes it next; this attempt does not count. */
export async function giveBackRun(on: Queryable, { nodeId, dueMs, attempt }: Run): Promise<void> {
  await on.query(
    `UPDATE report_runs SET attempts = attempts - 1, lease_ms = 0
     WHERE node_id = $1 AND due_ms = $2 AND attempts = $3 AND NOT is_over`,
    [nodeId, dueMs, attempt],
    'give-back-report-run',
  );
}

/** A run has ended with the PDF, or with a reason why there is none. */
type RunEnd = { readonly fileId: string } | { readonly problem: string };

/** @returns false: another process has taken the run meanwhile, and goes on with it */
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

type Addressee = { readonly userId: string; readonly email: string };

/** Mails with the PDF of a run are asked for. */
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

/** The PDF of a run; undefined = there is none. */
export async function fileOfRun(on: Queryable, { nodeId, dueMs }: RunKey): Promise<string | undefined> {
  const { rows } = await on.query<{ file_id: string | null }>(
    'SELECT file_id FROM report_runs WHERE node_id = $1 AND due_ms = $2',
    [nodeId, dueMs],
    'file-of-report-run',
  );
  return rows[0]?.file_id ?? undefined;
}

/** A mail of a run was sent, or given up with a problem. @returns the PDF, if that was the last one */
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

/** A run as people see it. */
export type SeenRun = {
  readonly dueMs: number;
  readonly askedBy: string | null;
  readonly isBegun: boolean;
  readonly isOver: boolean;
  readonly problem: string | null;
  readonly mails: readonly { readonly email: string; readonly isOver: boolean; readonly problem: string | null }[];
};

/** The latest runs of a report, newest first. */
export async function runsOf(on: Queryable, nodeId: string, limit: number): Promise<SeenRun[]> {
  const { rows } = await on.query<SeenRun>(
    `SELECT r.due_ms AS "dueMs", r.asked_by AS "askedBy", r.attempts > 0 AS "isBegun", r.is_over AS "isOver", r.problem,
       coalesce((SELECT jsonb_agg(jsonb_build_object('email', m.email, 'isOver', m.is_over, 'problem', m.problem) ORDER BY m.email)
        FROM report_mails m WHERE m.node_id = r.node_id AND m.due_ms = r.due_ms), '[]') AS mails
     FROM report_runs r WHERE r.node_id = $1 ORDER BY r.due_ms DESC LIMIT $2`,
    [nodeId, limit],
    'runs-of-report',
  );
  return rows;
}

/** Whoever asks for runs of the report waits until the transaction is over. */
export async function lockRuns(tx: Queryable, nodeId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('report ' || $1, 0))", [nodeId], 'lock-report-runs');
}

/** Returns what stands against another run that a person asks for; the runs are locked by the caller. */
export async function askedRuns(
  tx: Queryable,
  nodeId: string,
  sinceMs: number,
): Promise<{ readonly isOpen: boolean; readonly count: number }> {
  const { rows } = await tx.query<{ isOpen: boolean | null; count: number }>(
    `SELECT bool_or(NOT is_over) AS "isOpen", (count(*) FILTER (WHERE asked_by IS NOT NULL AND due_ms > $2))::int AS count
     FROM report_runs WHERE node_id = $1`,
    [nodeId, sinceMs],
    'asked-report-runs',
  );
  return { isOpen: rows[0]?.isOpen ?? false, count: rows[0]?.count ?? 0 };
}

/** A run that somebody asks for. */
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
