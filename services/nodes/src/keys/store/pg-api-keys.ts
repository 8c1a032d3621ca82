import type { Queryable } from '@catchment/pg';
import type { KeySettings } from '../domain/api-key.ts';

export type StoredKey = KeySettings & {
  readonly keyId: string;
  readonly userId: string;
  /** E-mail of the user. */
  readonly username: string;
  readonly sha256: Buffer;
  readonly last4: string;
  readonly createdMs: number;
  readonly lastUsedMs: number | null;
};

const COLUMNS = `key_id AS "keyId", user_id AS "userId",
  (SELECT u.address FROM users u WHERE u.user_id = api_keys.user_id) AS "username", key_sha256 AS "sha256", last4, label, permission,
  access_level AS "accessLevel", workspace_ids AS "workspaceIds",
  floor(extract(epoch FROM created_at) * 1000)::bigint AS "createdMs",
  floor(extract(epoch FROM last_used_at) * 1000)::bigint AS "lastUsedMs"`;

export async function keysOf(on: Queryable, ownerId: string): Promise<StoredKey[]> {
  const { rows } = await on.query<StoredKey>(
    `SELECT ${COLUMNS} FROM api_keys WHERE owner_id = $1 ORDER BY created_at, key_id`,
    [ownerId],
    'keys',
  );
  return rows;
}

export async function saveKey(
  tx: Queryable,
  ownerId: string,
  keyId: string,
  { label, permission, accessLevel, workspaceIds }: KeySettings,
): Promise<void> {
  await tx.query(
    `UPDATE api_keys SET label = $3, permission = $4, access_level = $5, workspace_ids = $6
     WHERE owner_id = $1 AND key_id = $2`,
    [ownerId, keyId, label, permission, accessLevel, workspaceIds],
    'save-key',
  );
}

export async function deleteKey(tx: Queryable, ownerId: string, keyId: string): Promise<void> {
  await tx.query('DELETE FROM api_keys WHERE owner_id = $1 AND key_id = $2', [ownerId, keyId], 'delete-key');
}

export type DeadKey = {
  readonly ownerId: string;
  readonly label: string;
  readonly email: string;
  readonly sha256: Buffer;
};

/**
 * Deletes the keys of people who were administrators and are neither owner nor administrator any more, of the account and of
 * those that it manages (docs/reference/authentication.md#access-levels).
 */
export async function deleteOrphanedKeys(
  tx: Queryable,
  ownerId: string,
  userIds: readonly string[],
): Promise<DeadKey[]> {
  const { rows } = await tx.query<DeadKey>(
    `DELETE FROM api_keys k USING owners o, users u
     WHERE (o.owner_id = $1 OR o.parent_owner_id = $1) AND k.owner_id = o.owner_id AND u.user_id = k.user_id
       AND k.user_id = ANY($2) AND k.user_id <> o.owner_user_id
       AND NOT EXISTS (SELECT FROM administrators a WHERE a.user_id = k.user_id AND a.owner_id IN (o.owner_id, o.parent_owner_id))
       AND NOT EXISTS (SELECT FROM owners p WHERE p.owner_id = o.parent_owner_id AND p.owner_user_id = k.user_id)
     RETURNING k.owner_id AS "ownerId", k.label, u.address AS email, k.key_sha256 AS "sha256"`,
    [ownerId, userIds],
    'delete-orphaned-keys',
  );
  return rows;
}

/** Notes that a key was used, at most once a minute; a key that is being changed right now is passed over. */
export async function touchKey(on: Queryable, keyId: string, nowMs: number): Promise<void> {
  await on.query(
    `UPDATE api_keys SET last_used_at = to_timestamp($2 / 1000.0) WHERE key_id =
       (SELECT key_id FROM api_keys WHERE key_id = $1 FOR NO KEY UPDATE SKIP LOCKED)`,
    [keyId, nowMs],
    'touch-key',
  );
}
