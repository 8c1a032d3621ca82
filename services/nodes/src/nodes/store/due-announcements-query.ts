import type { Queryable } from '@catchment/pg';

/** Finds some account with announcements that are due. */
export async function accountToAnnounce(on: Queryable): Promise<string | undefined> {
  const { rows } = await on.query<{ owner_id: string }>(
    'SELECT owner_id FROM due_announcements LIMIT 1',
    [],
    'to-announce',
  );
  return rows[0]?.owner_id;
}
