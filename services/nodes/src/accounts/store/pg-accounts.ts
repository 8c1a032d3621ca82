import type { Queryable } from '@catchment/pg';
import type { Category } from '../../nodes/store/pg-nodes.ts';
import type { AccountInput } from '../domain/account.ts';

export type NewKey = {
  readonly keyId: string;
  /** 64 hex characters. */
  readonly sha256: string;
  readonly last4: string;
  readonly label: string;
  readonly permission: 'READ_ONLY' | 'MODIFY';
  readonly accessLevel: 'ACCOUNT' | 'WORKSPACES' | 'LIMITED_WORKSPACES';
  readonly workspaceIds?: readonly string[];
};

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

export async function insertKey(
  tx: Queryable,
  key: NewKey & { ownerId: string; userId: string; createdMs: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO api_keys (key_id, owner_id, user_id, key_sha256, last4, label, permission, access_level, created_at, workspace_ids)
     VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8, to_timestamp($9 / 1000.0), $10)`,
    [
      key.keyId,
      key.ownerId,
      key.userId,
      key.sha256,
      key.last4,
      key.label,
      key.permission,
      key.accessLevel,
      key.createdMs,
      key.workspaceIds ?? [],
    ],
  );
}

/** Which of these belong to an API key or a session. */
export async function findSecrets(on: Queryable, sha256: readonly Uint8Array[]): Promise<Buffer[]> {
  const { rows } = await on.query<{ known: Buffer }>(
    `SELECT key_sha256 AS known FROM api_keys WHERE key_sha256 = ANY($1)
     UNION ALL SELECT session_sha256 FROM sessions WHERE session_sha256 = ANY($1)`,
    [sha256.map((one) => Buffer.from(one))],
    'find-secrets',
  );
  return rows.map(({ known }) => known);
}

export type KeyHolder = {
  key_id: string;
  owner_id: string;
  user_id: string;
  email: string;
  permission: string;
  access_level: string;
  workspace_ids: string[];
  status: string;
  account_type: string;
  /** The owner, an administrator or an account manager (docs/reference/people-and-security.md#standing). */
  has_standing: boolean;
  last_used_ms: number | null;
};

export async function findKey(on: Queryable, keySha256: Uint8Array): Promise<KeyHolder | undefined> {
  const { rows } = await on.query<KeyHolder>(
    `SELECT k.key_id, k.owner_id, k.user_id, u.address AS email, k.permission, k.access_level, k.workspace_ids, o.status, o.account_type,
       EXISTS (SELECT FROM standings t WHERE t.owner_id = k.owner_id AND t.user_id = k.user_id) AS has_standing,
       floor(extract(epoch FROM k.last_used_at) * 1000)::bigint AS last_used_ms
     FROM api_keys k JOIN users u USING (user_id) JOIN owners o USING (owner_id) WHERE k.key_sha256 = $1`,
    [Buffer.from(keySha256)],
    'find-key',
  );
  return rows[0];
}
