import type { Queryable } from '@catchment/pg';

/** Returns whether somebody has taken it. */
export async function isTaken(on: Queryable, eventId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM notified_events WHERE event_id = $1';
  return (await on.query(sql, [eventId], 'is-taken')).rows.length > 0;
}
