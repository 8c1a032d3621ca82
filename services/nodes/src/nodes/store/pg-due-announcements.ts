import type { Queryable } from '@catchment/pg';

export async function takeAnnouncements(tx: Queryable, ownerId: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ node_id: string }>(
    `DELETE FROM due_announcements WHERE node_id IN (
       SELECT node_id FROM due_announcements WHERE owner_id = $1 ORDER BY node_id LIMIT $2)
     RETURNING node_id`,
    [ownerId, limit],
    'take-announcements',
  );
  return rows.map((row) => row.node_id);
}
