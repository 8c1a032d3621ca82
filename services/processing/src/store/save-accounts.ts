import type { Queryable } from '@catchment/pg';

/** Accounts take turns by their rows: each that has something computed has one. */
export async function saveAccounts(tx: Queryable, ownerIds: readonly string[]): Promise<void> {
  await tx.query(
    'INSERT INTO accounts (owner_id) SELECT DISTINCT unnest($1::text[]) ON CONFLICT DO NOTHING',
    [ownerIds],
    'save-accounts',
  );
}
