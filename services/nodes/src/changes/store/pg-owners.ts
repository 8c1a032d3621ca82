import type { Queryable } from '@catchment/pg';

/** Grows with every change of whatever a list of the account's nodes shows; see `owner_revisions`. */
export async function touchOwners(tx: Queryable, ownerIds: readonly string[], writer: string): Promise<void> {
  if (ownerIds.length === 0) return;
  await tx.query(
    `INSERT INTO owner_revisions (owner_id, writer, revision)
     SELECT o.owner_id, $2, 1 FROM owners o WHERE o.owner_id = ANY($1) ORDER BY o.owner_id FOR KEY SHARE
     ON CONFLICT (owner_id, writer) DO UPDATE SET revision = owner_revisions.revision + 1`,
    [ownerIds, writer],
    'touch-owners',
  );
}
