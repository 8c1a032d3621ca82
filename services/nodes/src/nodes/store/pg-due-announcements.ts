import type { Queryable } from '@catchment/pg';

/** Some account with announcements that are due. */
export async function accountToAnnounce(on: Queryable): Promise<string | undefined> {
  const { rows } = await on.query<{ owner_id: string }>(
    'SELECT owner_id FROM due_announcements LIMIT 1',
    [],
    'to-announce',
  );
  return rows[0]?.owner_id;
}

/** Nodes of an account that are to be announced; they are so no longer. */
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
