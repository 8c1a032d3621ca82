import type { Queryable } from '@catchment/pg';
import type { Judgement } from '../domain/judgement.ts';

type JudgementRow = {
  node_id: string;
  after_sequence: number;
  needs_store: boolean;
  check_ms: number | null;
  time_ms: number | null;
  username: string;
};

export async function judgements(
  on: Queryable,
  limit: number,
  without: readonly string[],
): Promise<readonly Judgement[]> {
  const { rows } = await on.query<JudgementRow>(
    'SELECT * FROM judgements WHERE node_id <> ALL($2::text[]) ORDER BY after_sequence, node_id LIMIT $1',
    [limit, without],
    'judgements',
  );
  return rows.map((row) => ({
    nodeId: row.node_id,
    afterSequence: row.after_sequence,
    needsStore: row.needs_store,
    isCheck: row.check_ms !== null,
    timeMs: row.time_ms,
    username: row.username,
  }));
}

/** The later word counts, unless it is a check; what an earlier one needs is still needed. */
const INTO = `INSERT INTO judgements AS known (node_id, after_sequence, needs_store, time_ms, username, check_ms)`;
const OR_LATER = `ON CONFLICT (node_id) DO UPDATE SET
  after_sequence = greatest(known.after_sequence, excluded.after_sequence),
  needs_store = known.needs_store OR excluded.needs_store,
  time_ms = CASE WHEN excluded.check_ms IS NULL THEN excluded.time_ms ELSE known.time_ms END,
  username = CASE WHEN excluded.check_ms IS NULL THEN excluded.username ELSE known.username END,
  check_ms = CASE WHEN excluded.check_ms IS NULL THEN NULL ELSE known.check_ms END`;

export async function judgeLater(tx: Queryable, all: readonly Judgement[]): Promise<void> {
  if (all.length === 0) return;
  const sorted = [...new Map(all.map((judgement) => [judgement.nodeId, judgement])).values()].sort((a, b) =>
    a.nodeId < b.nodeId ? -1 : 1,
  );
  await tx.query(
    `${INTO} SELECT * FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::bigint[], $5::text[], $6::bigint[]) ${OR_LATER}`,
    [
      sorted.map((judgement) => judgement.nodeId),
      sorted.map((judgement) => judgement.afterSequence),
      sorted.map((judgement) => judgement.needsStore),
      sorted.map((judgement) => judgement.timeMs),
      sorted.map((judgement) => judgement.username),
      sorted.map((judgement) => (judgement.isCheck ? judgement.timeMs : null)),
    ],
    'judge-later',
  );
}

export async function judgeSeriesOf(
  tx: Queryable,
  sources: readonly Omit<Judgement, 'afterSequence' | 'needsStore'>[],
): Promise<void> {
  if (sources.length === 0) return;
  await tx.query(
    `${INTO} SELECT s.node_id, 0, false, o.time_ms, o.username, NULL::bigint
     FROM unnest($1::text[], $2::bigint[], $3::text[]) AS o (source_id, time_ms, username)
     JOIN node_replica n USING (source_id) JOIN series s ON s.node_id = n.node_id
     WHERE n.deleted_time IS NULL ORDER BY s.node_id ${OR_LATER}`,
    [
      sources.map((source) => source.nodeId),
      sources.map((source) => source.timeMs),
      sources.map((source) => source.username),
    ],
    'judge-series-of',
  );
}

export async function takeJudgements(tx: Queryable, all: readonly Judgement[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ node_id: string }>(
    `DELETE FROM judgements j USING unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[])
       AS t (node_id, after_sequence, needs_store, is_check)
     WHERE j.node_id = t.node_id AND j.after_sequence = t.after_sequence AND j.needs_store = t.needs_store
       AND (j.check_ms IS NOT NULL) = t.is_check
     RETURNING j.node_id`,
    [
      all.map((judgement) => judgement.nodeId),
      all.map((judgement) => judgement.afterSequence),
      all.map((judgement) => judgement.needsStore),
      all.map((judgement) => judgement.isCheck ?? false),
    ],
    'take-judgements',
  );
  return new Set(rows.map((row) => row.node_id));
}
