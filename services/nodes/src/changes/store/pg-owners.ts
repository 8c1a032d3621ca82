import { notFound } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { invalidAttribute } from '../../body/domain/rule.ts';
import type { Category, Owner, OwnerChange } from '../domain/owner.ts';

const COLUMNS = `owner_id, account_name, account_type, slug, status, categories, quality, parent_owner_id, source_limit, sms_limit, row_limit,
  floor(extract(epoch FROM created_at) * 1000)::bigint AS created_ms`;

/** @throws DomainError not_found */
export async function readOwner(on: Queryable, ownerId: string): Promise<Owner> {
  const { rows } = await on.query<Owner>(`SELECT ${COLUMNS} FROM owners WHERE owner_id = $1`, [ownerId], 'owner');
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Id of the account with an owner id or a slug. @param at the argument, for refusals @throws DomainError invalid_argument */
export async function accountIdOf(on: Queryable, account: string, at = 'account'): Promise<string> {
  const text = account.trim().toLowerCase();
  const { rows } = await on.query<{ owner_id: string }>(
    `SELECT owner_id FROM owners WHERE ${isObjectId(text) ? 'owner_id' : 'slug'} = $1`,
    [text],
  );
  if (!rows[0]) throw invalidAttribute(at, 'must be the id or the slug of an account');
  return rows[0].owner_id;
}

/** Stores what is given; the rest stays. */
export async function saveOwner(tx: Queryable, ownerId: string, change: OwnerChange): Promise<void> {
  const { categories, quality, ...plain } = change;
  const values = {
    ...plain,
    ...(categories && { categories: JSON.stringify(categories) }),
    ...(quality && { quality: JSON.stringify(quality) }),
  };
  const names = Object.keys(values);
  if (names.length === 0) return;
  const assignments = names.map((name, i) => `${name} = $${i + 2}`).join(', ');
  await tx.query(`UPDATE owners SET ${assignments} WHERE owner_id = $1`, [ownerId, ...Object.values(values)]);
}

export type OwnerRow = { readonly slug: string; readonly categories: readonly Category[] };

/**
 * The account, locked until the transaction ends: changes of one account's configuration come one after the other.
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

/** Accounts that an account manages, itself first. */
export async function withManaged(on: Queryable, ownerId: string): Promise<string[]> {
  const { rows } = await on.query<{ owner_id: string }>(
    'SELECT owner_id FROM owners WHERE owner_id = $1 OR parent_owner_id = $1 ORDER BY owner_id <> $1, owner_id',
    [ownerId],
    'with-managed',
  );
  return rows.map((row) => row.owner_id);
}
