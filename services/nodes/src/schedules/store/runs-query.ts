import type { Queryable } from '@catchment/pg';
import type { RunKey } from '../usecases/ports.ts';

/** Finds the PDF of a run; undefined = there is none. */
export async function fileOfRun(on: Queryable, { nodeId, dueMs }: RunKey): Promise<string | undefined> {
  const { rows } = await on.query<{ file_id: string | null }>(
    'SELECT file_id FROM report_runs WHERE node_id = $1 AND due_ms = $2',
    [nodeId, dueMs],
    'file-of-report-run',
  );
  return rows[0]?.file_id ?? undefined;
}

/** People see this of a run. */
export type SeenRun = {
  readonly dueMs: number;
  readonly askedBy: string | null;
  readonly isBegun: boolean;
  readonly isOver: boolean;
  readonly problem: string | null;
  readonly mails: readonly { readonly email: string; readonly isOver: boolean; readonly problem: string | null }[];
};

/** Reads the latest runs of a report, newest first. */
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
