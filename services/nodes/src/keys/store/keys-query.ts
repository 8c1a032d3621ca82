import type { Queryable } from '@catchment/pg';
import type { KeySettings } from '../domain/api-key.ts';
import type { KeyHolder } from '../domain/key-caller.ts';

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

/** Returns those that belong to an API key or a session. */
export async function findSecrets(on: Queryable, sha256: readonly Uint8Array[]): Promise<Buffer[]> {
  const { rows } = await on.query<{ known: Buffer }>(
    `SELECT key_sha256 AS known FROM api_keys WHERE key_sha256 = ANY($1)
     UNION ALL SELECT session_sha256 FROM sessions WHERE session_sha256 = ANY($1)`,
    [sha256.map((digest) => Buffer.from(digest))],
    'find-secrets',
  );
  return rows.map(({ known }) => known);
}

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
