import { appendOutbox, type Database, type Queryable } from '@catchment/pg';
import { LRUCache } from 'lru-cache';
import type { SeriesMaker } from '../domain/circles.ts';
import type { Checked, Progress, Step, Steps, StoredPlan, Work } from '../usecases/ports.ts';
import { PROGRAM_COLUMNS, type ProgramRow, toProgram } from './program-rows.ts';
import { marksOf, removeMarks, saveCheckedRating, shortenMark } from './rating-rows.ts';

/** Plans in memory, by the length of their JSON. */
const MAX_PLAN_CHARACTERS = 8_000_000;
const ABSORBED_AT_ONCE = 1_000;
/** Accounts of which one may have the next turn: those of the others may all be in work. */
const ACCOUNTS_AT_ONCE = 20;

/**
 * Serves an account at once and for all, so that no step waits for another one of the account. It is not worth waiting
 * for a disk: after a crash the order is as it was a moment before.
 */
const SERVE = `WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
  UPDATE accounts SET served_time = clock_timestamp() FROM quick
  WHERE owner_id = $1 AND served_time < clock_timestamp() - interval '10 milliseconds'`;
const AT = 'to_timestamp($1::float8 / 1000)';
const RUNS = 'p.is_enabled AND p.plan_version IS NOT NULL';
const TODO: Record<Work, string> = {
  due: `p.due AND p.phase IS NULL AND ${RUNS} AND p.retry_time <= ${AT}`,
  recompute: `p.phase IS NOT NULL AND ${RUNS} AND p.retry_time <= ${AT}
    AND (p.suspended_until IS NULL OR (p.due AND p.suspended_until <= ${AT}))`,
  check: `p.needs_check AND p.check_time <= ${AT}`,
};

/** Steps of programs and ratings: each is a transaction that holds one of them, taken from the account that was served longest ago. */
export function pgSteps(database: Database): Steps {
  const plans = new LRUCache<string, StoredPlan>({ maxSize: MAX_PLAN_CHARACTERS });
  return {
    async absorb(nowMs) {
      await database.query(
        `WITH ready AS (
           SELECT node_id FROM programs WHERE node_id IN (SELECT DISTINCT node_id FROM marks WHERE forgets IS NULL LIMIT $2)
           FOR NO KEY UPDATE SKIP LOCKED),
         taken AS (DELETE FROM marks USING ready WHERE marks.node_id = ready.node_id AND forgets IS NULL
           RETURNING marks.node_id, checks),
         news AS (SELECT node_id, bool_or(checks) AS checks, NOT bool_and(checks) AS due FROM taken GROUP BY node_id)
         UPDATE programs p SET needs_check = p.needs_check OR news.checks,
           check_time = CASE WHEN news.checks THEN '-infinity' ELSE p.check_time END,
           due = p.due OR (news.due AND (p.suspended_until IS NULL OR p.suspended_until <= to_timestamp($1::float8 / 1000)))
         FROM news WHERE p.node_id = news.node_id`,
        [nowMs, ABSORBED_AT_ONCE],
        'absorb-marks',
      );
      await database.query(
        `UPDATE programs SET due = true WHERE node_id IN (
           SELECT node_id FROM programs WHERE tick_ms <= $1 AND NOT due
             AND (suspended_until IS NULL OR suspended_until <= to_timestamp($1::float8 / 1000)) FOR NO KEY UPDATE SKIP LOCKED)`,
        [nowMs],
        'absorb-ticks',
      );
      await database.query(
        `UPDATE ratings SET due = true WHERE node_id IN (
           SELECT node_id FROM ratings WHERE NOT due AND node_id IN (SELECT DISTINCT node_id FROM rating_marks) LIMIT $1
           FOR NO KEY UPDATE SKIP LOCKED)`,
        [ABSORBED_AT_ONCE],
        'absorb-rating-marks',
      );
    },
    step: (what, nowMs, work) =>
      database.transactionOnce(async (tx) => {
        const row = await claim(tx, what, nowMs);
        if (!row) return undefined;
        // It runs on its own connection, so that no step waits for another step of the account.
        await database.query(SERVE, [row.owner_id], 'serve');
        return work(stepOf(tx, row, what === 'check' || row.kind === 'rating' ? row : await forgotten(tx, row), plans));
      }),
    async defer(nodeId, what, untilMs) {
      const column = what === 'check' ? 'needs_check = true, check_time' : 'retry_time';
      await database.query(
        `UPDATE computed SET ${column} = to_timestamp($2::float8 / 1000) WHERE node_id = $1`,
        [nodeId, untilMs],
        `defer-${what}`,
      );
    },
  };
}

async function claim(tx: Queryable, what: Work, nowMs: number): Promise<ProgramRow | undefined> {
  const { rows } = await tx.query<ProgramRow>(
    `SELECT claimed.* FROM (
       SELECT a.owner_id FROM accounts a WHERE NOT a.is_disabled
         AND (SELECT true FROM computed p WHERE p.owner_id = a.owner_id AND ${TODO[what]} LIMIT 1)
       ORDER BY a.served_time, a.owner_id LIMIT ${ACCOUNTS_AT_ONCE}) turn
     CROSS JOIN LATERAL (
       SELECT ${PROGRAM_COLUMNS} FROM computed p WHERE p.owner_id = turn.owner_id AND ${TODO[what]}
       ORDER BY ${what === 'check' ? 'p.check_time' : 'p.served_time'} LIMIT 1 FOR NO KEY UPDATE OF p SKIP LOCKED) claimed
     LIMIT 1`,
    [nowMs],
    `claim-${what}`,
  );
  return rows[0];
}

/** Outputs whose history was deleted after they were written have no newest record any more. */
async function forgotten(tx: Queryable, row: ProgramRow): Promise<ProgramRow> {
  const { rows } = await tx.query<{ forgets: string; time_ms: number }>(
    'DELETE FROM marks WHERE node_id = $1 AND forgets IS NOT NULL RETURNING forgets, time_ms',
    [row.node_id],
    'take-forgets',
  );
  const gone = new Set(rows.filter(({ time_ms }) => time_ms >= row.outputs_ms).map(({ forgets }) => forgets));
  if (gone.size === 0) return row;
  const outputs = Object.fromEntries(Object.entries(row.outputs).filter(([nodeId]) => !gone.has(nodeId)));
  await tx.query(
    'UPDATE programs SET outputs = $2 WHERE node_id = $1',
    [row.node_id, JSON.stringify(outputs)],
    'forget-results',
  );
  return { ...row, outputs };
}

const stepOf = (tx: Queryable, claimed: ProgramRow, row: ProgramRow, plans: LRUCache<string, StoredPlan>): Step => ({
  program: toProgram(row),
  async plan() {
    const key = `${claimed.node_id} ${claimed.plan_version}`;
    const known = plans.get(key);
    if (known) return known;
    const { rows } = await tx.query<{ plan: string }>(
      `SELECT plan FROM ${row.kind === 'rating' ? 'ratings' : 'program_plans'} WHERE node_id = $1`,
      [claimed.node_id],
      `read-plan-${row.kind}`,
    );
    const [found] = rows;
    if (!found) throw new Error('a valid program has no plan');
    const plan = JSON.parse(found.plan) as StoredPlan;
    plans.set(key, plan, { size: found.plan.length });
    return plan;
  },
  save: (progress) => save(tx, row.node_id, progress),
  saveChecked: (checked) => (row.kind === 'rating' ? saveCheckedRating : saveChecked)(tx, row.node_id, checked),
  marks: (limit) => marksOf(tx, row.node_id, limit),
  removeMarks: (markIds) => removeMarks(tx, markIds),
  shortenMark: (mark) => shortenMark(tx, mark),
  async lockInputs() {
    await tx.query(
      `SELECT pg_advisory_xact_lock(hashtext('program_inputs'), hashtext(current_schema()))`,
      [],
      'lock-inputs',
    );
  },
  async arePrograms(nodeIds) {
    const { rows } = await tx.query<{ found: boolean }>(
      'SELECT EXISTS (SELECT FROM programs WHERE node_id = ANY($1::text[])) AS found',
      [nodeIds],
      'are-programs',
    );
    return rows[0]?.found ?? false;
  },
  makersOf: (series) => makersOf(tx, series),
  announce: (messages) => appendOutbox(tx, messages),
});

/** Column by key; times are Unix ms. */
const COLUMNS: Record<keyof Progress, readonly [column: string, isTime?: 'time']> = {
  phase: ['phase'],
  settleSequence: ['settle_sequence'],
  toldFromMs: ['told_from_ms'],
  newsFromMs: ['news_from_ms'],
  doneRecords: ['done_records'],
  announcedMs: ['told_time', 'time'],
  due: ['due'],
  positionMs: ['position_ms'],
  tickMs: ['tick_ms'],
  acquireMs: ['acquire_ms'],
  outputs: ['outputs'],
  outputsMs: ['outputs_time', 'time'],
  failures: ['failures'],
  failure: ['failure'],
  suspendedUntilMs: ['suspended_until', 'time'],
  retryMs: ['retry_time', 'time'],
  needsCheck: ['needs_check'],
  checkMs: ['check_time', 'time'],
};

async function save(tx: Queryable, nodeId: string, progress: Progress): Promise<void> {
  const changes = Object.entries(progress) as [keyof Progress, unknown][];
  if (changes.length === 0) return;
  const set = changes.map(([key], n) => {
    const [column, isTime] = COLUMNS[key];
    return `${column} = ${isTime ? `to_timestamp($${n + 2}::float8 / 1000)` : `$${n + 2}`}`;
  });
  const values = changes.map(([key, value]) => (key === 'outputs' ? JSON.stringify(value) : value));
  await tx.query(`UPDATE computed SET ${set.join(', ')}, served_time = clock_timestamp() WHERE node_id = $1`, [
    nodeId,
    ...values,
  ]);
}

async function saveChecked(tx: Queryable, nodeId: string, checked: Checked): Promise<void> {
  const { checkedDigest, followsAccount, dependsOn, valid } = checked;
  const version = valid?.stored.program.key ?? null;
  await tx.query(
    `UPDATE programs SET checked_digest = $2, follows_account = $3, basis = coalesce($4, basis), plan_version = $5,
       tick_ms = $6 WHERE node_id = $1`,
    [nodeId, checkedDigest, followsAccount, valid?.basis ?? null, version, valid?.tickMs ?? null],
    'save-checked',
  );
  const inputs = valid?.stored.plan.inputs.map((input) => input.nodeId) ?? [];
  await tx.query('DELETE FROM program_inputs WHERE node_id = $1', [nodeId], 'forget-inputs');
  await tx.query(
    `INSERT INTO program_inputs (node_id, on_node_id, is_input)
     SELECT $1, on_node_id, on_node_id = ANY($3::text[]) FROM (SELECT DISTINCT unnest($2::text[]) AS on_node_id) d`,
    [nodeId, [...dependsOn, ...inputs], inputs],
    'save-inputs',
  );
  if (!valid) return;
  const { stored } = valid;
  await tx.query(
    `INSERT INTO program_plans (node_id, version, plan) VALUES ($1, $2, $3)
     ON CONFLICT (node_id) DO UPDATE SET version = excluded.version, plan = excluded.plan`,
    [nodeId, version, JSON.stringify(stored)],
    'save-plan',
  );
  await tx.query('DELETE FROM program_outputs WHERE node_id = $1', [nodeId], 'forget-outputs');
  const { outputs } = stored.plan;
  await tx.query(
    `INSERT INTO program_outputs (output_node_id, node_id, name) SELECT output, $1, name
     FROM unnest($2::text[], $3::text[]) AS o (output, name)
     ON CONFLICT (output_node_id) DO UPDATE SET node_id = excluded.node_id, name = excluded.name`,
    [nodeId, outputs.map((output) => output.nodeId), outputs.map((output) => output.name)],
    'save-outputs',
  );
}

async function makersOf(tx: Queryable, series: readonly string[]): Promise<SeriesMaker[]> {
  const { rows } = await tx.query<{ series: string; node_id: string; name: string; inputs: string[] }>(
    `SELECT o.output_node_id AS series, p.node_id, p.name,
       array(SELECT on_node_id FROM program_inputs i WHERE i.node_id = p.node_id AND i.is_input) AS inputs
     FROM program_outputs o JOIN programs p USING (node_id) WHERE o.output_node_id = ANY($1::text[])
     UNION ALL
     SELECT node_id, node_id, name, ARRAY[input_node_id] FROM rating_inputs WHERE node_id = ANY($1::text[])`,
    [series],
    'makers-of',
  );
  return rows.map(({ series: made, node_id: nodeId, name, inputs }) => ({
    series: made,
    by: { nodeId, name },
    inputs,
  }));
}
