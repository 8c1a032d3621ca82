import { isObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import type { Category, Owner } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import type { AccountInput } from '../domain/account.ts';

/** @returns false when the slug is taken */
export async function insertOwner(
  tx: Queryable,
  owner: AccountInput & {
    ownerId: string;
    slug: string;
    userId: string;
    parentOwnerId: string | null;
    categories: readonly Category[];
    createdMs: number;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO owners (owner_id, account_name, account_type, slug, categories, created_at, owner_user_id, parent_owner_id)
     VALUES ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), $7, $8) ON CONFLICT (slug) DO NOTHING`,
    [
      owner.ownerId,
      owner.accountName,
      owner.accountType,
      owner.slug,
      JSON.stringify(owner.categories),
      owner.createdMs,
      owner.userId,
      owner.parentOwnerId,
    ],
  );
  return rowCount === 1;
}

export async function hasManagedAccounts(on: Queryable, ownerId: string): Promise<boolean> {
  const { rows } = await on.query('SELECT 1 FROM owners WHERE parent_owner_id = $1 LIMIT 1', [ownerId]);
  return rows.length > 0;
}

/** Nodes without a parent. */
export async function rootsOf(on: Queryable, ownerId: string): Promise<string[]> {
  const { rows } = await on.query<{ node_id: string }>(
    'SELECT node_id FROM nodes WHERE owner_id = $1 AND parent_id IS NULL ORDER BY node_id',
    [ownerId],
  );
  return rows.map((row) => row.node_id);
}

/** The row itself; people, keys and settings go with it. @returns false while the account still has nodes */
export async function deleteOwner(tx: Queryable, ownerId: string): Promise<boolean> {
  await tx.query('SELECT 1 FROM owners WHERE owner_id = $1 FOR UPDATE', [ownerId]);
  const { rowCount } = await tx.query(
    'DELETE FROM owners o WHERE o.owner_id = $1 AND NOT EXISTS (SELECT FROM nodes n WHERE n.owner_id = o.owner_id)',
    [ownerId],
  );
  return rowCount === 1;
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

/** Stores the given attributes; the others stay. */
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

export type OwnerChange = Partial<
  Pick<
    Owner,
    | 'account_name'
    | 'account_type'
    | 'status'
    | 'source_limit'
    | 'sms_limit'
    | 'row_limit'
    | 'record_days'
    | 'event_days'
    | 'categories'
    | 'quality'
  >
>;
