import type { Queryable } from '@catchment/pg';

export async function isTrialOver(on: Queryable, ownerId: string, nowMs: number): Promise<boolean> {
  const { rows } = await on.query('SELECT 1 FROM trials WHERE owner_id = $1 AND ends_ms <= $2', [ownerId, nowMs]);
  return rows.length > 0;
}

/** Reads accounts whose trial has ended without anything having been done about it. */
export const endedTrials = (on: Queryable, nowMs: number, limit: number): Promise<string[]> =>
  ids(on, 'removal_ms IS NULL AND ends_ms <= $1 ORDER BY ends_ms', nowMs, limit);

/** Reads accounts whose time after the trial is over too. An account that manages others stays until they are gone. */
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
