import type { Queryable } from '@catchment/pg';

export async function putAnnouncements(tx: Queryable, ownerId: string, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO due_announcements (node_id, owner_id) SELECT node_id, owner_id FROM nodes WHERE owner_id = $1 AND node_id = ANY($2)
     ORDER BY node_id ON CONFLICT DO NOTHING`,
    [ownerId, nodeIds],
    'put-announcements',
  );
}

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
