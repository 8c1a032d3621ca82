import { bytesOf, floatsOf } from '@catchment/contracts/packed-numbers';
import type { Queryable } from '@catchment/pg';
import type { Checked, Mark } from '../usecases/ports.ts';

type MarkRow = {
  mark_id: number;
  silent: boolean;
  from_ms: number;
  to_ms: number;
  clears: boolean;
  timestamps: Buffer | null;
};

export async function marksOf(tx: Queryable, nodeId: string, limit: number): Promise<Mark[]> {
  const { rows } = await tx.query<MarkRow>(
    `SELECT mark_id, silent, from_ms, to_ms, clears, timestamps FROM rating_marks
     WHERE node_id = $1 ORDER BY mark_id LIMIT $2`,
    [nodeId, limit],
    'marks-of',
  );
  return rows.map(({ mark_id, from_ms, to_ms, timestamps, ...row }) => ({
    ...row,
    markId: mark_id,
    fromMs: from_ms,
    toMs: to_ms,
    timestamps: timestamps ? floatsOf(timestamps) : undefined,
  }));
}

export async function removeMarks(tx: Queryable, markIds: readonly number[]): Promise<void> {
  if (markIds.length > 0)
    await tx.query('DELETE FROM rating_marks WHERE mark_id = ANY($1::bigint[])', [markIds], 'remove-marks');
}

export async function shortenMark(
  tx: Queryable,
  { markId, fromMs, timestamps }: Pick<Mark, 'markId' | 'fromMs' | 'timestamps'>,
): Promise<void> {
  await tx.query(
    'UPDATE rating_marks SET from_ms = $2, timestamps = $3 WHERE mark_id = $1',
    [markId, fromMs, timestamps ? bytesOf(timestamps) : null],
    'shorten-mark',
  );
}

export async function saveCheckedRating(
  tx: Queryable,
  nodeId: string,
  { checkedDigest, valid }: Checked,
): Promise<void> {
  await tx.query(
    `UPDATE ratings SET checked_digest = $2, basis = coalesce($3, basis), plan_version = $4, plan = $5 WHERE node_id = $1`,
    [
      nodeId,
      checkedDigest,
      valid?.basis ?? null,
      valid?.stored.program.key ?? null,
      valid ? JSON.stringify(valid.stored) : null,
    ],
    'save-checked-rating',
  );
}
