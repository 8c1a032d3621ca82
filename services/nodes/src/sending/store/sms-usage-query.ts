import type { Queryable } from '@catchment/pg';

/** Reads SMS of accounts in the months that are kept, about a year, the oldest first; those without any are left out. */
export async function smsMonths(
  on: Queryable,
  ownerIds: readonly string[],
): Promise<{ readonly month: string; readonly count: number }[]> {
  const { rows } = await on.query<{ month_ms: number; count: number }>(
    `SELECT month_ms, sum(count)::int AS count FROM sms_usage WHERE owner_id = ANY ($1)
     GROUP BY month_ms HAVING sum(count) > 0 ORDER BY month_ms`,
    [ownerIds],
    'sms-months',
  );
  return rows.map(({ month_ms, count }) => ({ month: new Date(month_ms).toISOString().slice(0, 7), count }));
}
