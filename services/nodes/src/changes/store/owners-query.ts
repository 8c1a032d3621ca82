import { notFound } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import type { Category, Owner } from '../domain/owner.ts';

const COLUMNS = `owner_id, account_name, account_type, slug, status, categories, quality, parent_owner_id, source_limit, sms_limit, row_limit,
  record_days, event_days,  floor(extract(epoch FROM created_at) * 1000)::bigint AS created_ms`;

/** @throws DomainError not_found */
export async function readOwner(on: Queryable, ownerId: string): Promise<Owner> {
  const { rows } = await on.query<Owner>(`SELECT ${COLUMNS} FROM owners WHERE owner_id = $1`, [ownerId], 'owner');
  if (!rows[0]) throw notFound();
  return rows[0];
}

type OwnerRow = { readonly slug: string; readonly categories: readonly Category[] };

/**
 * Reads the account, locked until the transaction ends: changes of one account's configuration come one after the other.
 * @throws DomainError not_found
 */
export async function lockOwner(tx: Queryable, ownerId: string): Promise<OwnerRow> {
  const { rows } = await tx.query<OwnerRow>(
    'SELECT slug, categories FROM owners WHERE owner_id = $1 FOR NO KEY UPDATE',
    [ownerId],
    'lock-owner',
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Reads accounts that an account manages, itself first. */
export async function withManaged(on: Queryable, ownerId: string): Promise<string[]> {
  const { rows } = await on.query<{ owner_id: string }>(
    'SELECT owner_id FROM owners WHERE owner_id = $1 OR parent_owner_id = $1 ORDER BY owner_id <> $1, owner_id',
    [ownerId],
    'with-managed',
  );
  return rows.map((row) => row.owner_id);
}
