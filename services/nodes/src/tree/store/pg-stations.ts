import type { Queryable } from '@catchment/pg';
import { dayOf } from './stations-query.ts';

export async function countRefusal(tx: Queryable, ownerId: string, nowMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO station_refusals AS r (owner_id, day, refusals) VALUES ($1, $2, 1)
     ON CONFLICT (owner_id) DO UPDATE SET day = EXCLUDED.day,
       refusals = CASE WHEN r.day = EXCLUDED.day THEN r.refusals + 1 ELSE 1 END`,
    [ownerId, dayOf(nowMs)],
    'count-station-refusal',
  );
}
