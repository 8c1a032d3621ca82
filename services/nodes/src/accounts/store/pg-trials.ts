import type { Queryable } from '@catchment/pg';

/** A trial begins, or begins anew. */
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

export async function isTrialOver(on: Queryable, ownerId: string, nowMs: number): Promise<boolean> {
  const { rows } = await on.query('SELECT 1 FROM trials WHERE owner_id = $1 AND ends_ms <= $2', [ownerId, nowMs]);
  return rows.length > 0;
}

/** Accounts whose trial has ended without anything having been done about it. */
export const endedTrials = (on: Queryable, nowMs: number, limit: number): Promise<string[]> =>
  ids(on, 'removal_ms IS NULL AND ends_ms <= $1 ORDER BY ends_ms', nowMs, limit);

/** Accounts whose time after the trial is over too. One that manages others stays until they are gone. */
export const trialsToRemove = (on: Queryable, nowMs: number, limit: number): Promise<string[]> =>
  ids(
    on,
    `removal_ms <= $1 AND NOT EXISTS (SELECT FROM owners o WHERE o.parent_owner_id = t.owner_id) ORDER BY removal_ms`,
    nowMs,
    limit,
  );

async function ids(on: Queryable, condition: string, nowMs: number, limit: number): Promise<string[]> {
  const { rows } = await on.query<{ owner_id: string }>(`SELECT t.owner_id FROM trials t WHERE ${condition} LIMIT $2`, [
    nowMs,
    limit,
  ]);
  return rows.map((row) => row.owner_id);
}

/** The account is disabled and is to be deleted; not when its trial has begun anew meanwhile. */
export async function setRemoval(on: Queryable, ownerId: string, nowMs: number, removalMs: number): Promise<void> {
  await on.query('UPDATE trials SET removal_ms = $3 WHERE owner_id = $1 AND ends_ms <= $2', [
    ownerId,
    nowMs,
    removalMs,
  ]);
}
