import type { Queryable } from '@catchment/pg';

export async function markSchedules(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO report_schedules (node_id) SELECT unnest($1::text[]) ORDER BY 1
     ON CONFLICT (node_id) DO UPDATE SET is_stale = true`,
    [nodeIds],
    'mark-schedules',
  );
}
