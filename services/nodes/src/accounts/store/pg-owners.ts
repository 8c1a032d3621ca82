import { notFound } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import type { QualitySettings } from '@catchment/quality';
import { invalidAttribute } from '../../body/domain/rule.ts';
import type { AccountUse, UsageLimits } from '../../usage/domain/usage.ts';
import type { Category } from '../domain/category.ts';

export type Owner = {
  readonly owner_id: string;
  readonly account_name: string;
  readonly account_type: string;
  readonly slug: string;
  readonly status: string;
  readonly categories: readonly Category[];
  /** null = the defaults. */
  readonly quality: QualitySettings | null;
  readonly parent_owner_id: string | null;
  readonly source_limit: number | null;
  readonly sms_limit: number | null;
  /** Rows per data source and day; null = as the installation has it. */
  readonly row_limit: number | null;
  readonly created_ms: number;
};

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

export type OwnerChange = Partial<
  Pick<
    Owner,
    'account_name' | 'account_type' | 'status' | 'source_limit' | 'sms_limit' | 'row_limit' | 'categories' | 'quality'
  >
>;

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

type UseRow = {
  owner_id: string;
  account_name: string;
  account_type: string;
  status: string;
  attachmentsource: number;
  small: number;
  medium: number;
  large: number;
  attachment_bytes: number;
};

/** Sources of an account and of those that it manages, itself first; disabled ones and those of templates left out. */
export async function readUse(
  on: Queryable,
  ownerId: string,
): Promise<{ accounts: AccountUse[]; limits: UsageLimits }> {
  const owner = await readOwner(on, ownerId);
  const { rows } = await on.query<UseRow>(
    `WITH accounts AS (
       SELECT owner_id, account_name, account_type, status FROM owners WHERE owner_id = $1 OR parent_owner_id = $1
     ), sources AS (
       SELECT s.owner_id, s.class LIKE 'source.data.%' AS is_data,
         (SELECT count(*) FROM nodes p WHERE p.parent_id = s.node_id AND p.class LIKE 'point.%' AND p.is_active) AS parameters
       FROM nodes s JOIN nodes w ON w.node_id = s.workspace_id
       WHERE s.owner_id IN (SELECT owner_id FROM accounts) AND s.class LIKE 'source.%' AND w.class = 'Workspace'
         AND s.config -> 'isEnabled' IS DISTINCT FROM 'false'::jsonb
     )
     SELECT a.*, count(*) FILTER (WHERE NOT s.is_data) AS attachmentsource,
       count(*) FILTER (WHERE s.is_data AND s.parameters <= 10) AS small,
       count(*) FILTER (WHERE s.is_data AND s.parameters BETWEEN 11 AND 50) AS medium,
       count(*) FILTER (WHERE s.is_data AND s.parameters > 50) AS large,
       (SELECT coalesce(sum(f.size_bytes), 0)::bigint FROM files f WHERE f.owner_id = a.owner_id AND NOT f.is_removing)
         AS attachment_bytes
     FROM accounts a LEFT JOIN sources s USING (owner_id)
     GROUP BY a.owner_id, a.account_name, a.account_type, a.status
     ORDER BY a.owner_id <> $1, lower(a.account_name), a.owner_id`,
    [ownerId],
    'read-use',
  );
  return {
    accounts: rows.map(({ owner_id, account_name, account_type, status, attachment_bytes, ...sources }) => ({
      ownerId: owner_id,
      accountName: account_name,
      accountType: account_type,
      status,
      sources,
      smsCount: 0,
      attachmentBytes: attachment_bytes,
    })),
    limits: { sourceLimit: owner.source_limit, smsLimit: owner.sms_limit },
  };
}
