import type { Queryable } from '@catchment/pg';

export async function startTrial(tx: Queryable, ownerId: string, endsMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO trials (owner_id, ends_ms) VALUES ($1, $2)
     ON CONFLICT (owner_id) DO UPDATE SET ends_ms = excluded.ends_ms, removal_ms = NULL`,
    [ownerId, endsMs],
  );
}

export async function endTrial(tx: Queryable, ownerId: string): Promise<void> {
  await tx.query('DELETE FROM trials WHERE owner_id = $1', [ownerId]);
}

export async function setRemoval(on: Queryable, ownerId: string, nowMs: number, removalMs: number): Promise<void> {
  await on.query('UPDATE trials SET removal_ms = $3 WHERE owner_id = $1 AND ends_ms <= $2', [
    ownerId,
    nowMs,
    removalMs,
  ]);
}
