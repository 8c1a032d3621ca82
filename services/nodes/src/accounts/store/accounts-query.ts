import { isObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { invalidAttribute } from '../../domain/body/rule.ts';

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

/** Finds the id of the account with an owner id or a slug. @param at the argument, for refusals @throws DomainError invalid_argument */
export async function accountIdOf(on: Queryable, account: string, at = 'account'): Promise<string> {
  const text = account.trim().toLowerCase();
  const { rows } = await on.query<{ owner_id: string }>(
    `SELECT owner_id FROM owners WHERE ${isObjectId(text) ? 'owner_id' : 'slug'} = $1`,
    [text],
  );
  if (!rows[0]) throw invalidAttribute(at, 'must be the id or the slug of an account');
  return rows[0].owner_id;
}
