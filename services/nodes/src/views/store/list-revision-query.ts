import type { Queryable } from '@catchment/pg';

/** Returns text that differs whenever a list of the account's nodes may differ. */
export async function ownerRevision(on: Queryable, ownerId: string): Promise<string> {
  const { rows } = await on.query<{ revision: string | null }>(
    `SELECT string_agg(writer || ':' || revision, ',' ORDER BY writer) AS revision FROM owner_revisions WHERE owner_id = $1`,
    [ownerId],
    'owner-revision',
  );
  // An account without any node has no counter yet.
  return rows[0]?.revision ?? 'none';
}
