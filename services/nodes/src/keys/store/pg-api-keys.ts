import type { Queryable } from '@catchment/pg';
import type { DeletedKey } from '../../changes/index.ts';
import type { KeySettings } from '../domain/api-key.ts';
import type { NewKey } from '../usecases/ports.ts';

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

/**
 * Deletes the keys of people who were administrators and are neither owner nor administrator any more, of the account and of
 * those that it manages (docs/reference/authentication.md#access-levels).
 */
export async function deleteOrphanedKeys(
  tx: Queryable,
  ownerId: string,
  userIds: readonly string[],
): Promise<DeletedKey[]> {
  const { rows } = await tx.query<DeletedKey>(
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
