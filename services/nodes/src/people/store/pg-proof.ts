import type { Queryable } from '@catchment/pg';
import type { DeletedKey } from '../../changes/index.ts';

export async function markProven(tx: Queryable, userId: string, nowMs: number): Promise<void> {
  await tx.query(
    `UPDATE users SET proven_at = to_timestamp($2 / 1000.0), home_owner_id = NULL, link_workspace_id = NULL
     WHERE user_id = $1 AND proven_at IS NULL`,
    [userId, nowMs],
    'mark-proven',
  );
}

/** An account refers to people in these tables; two entries are the same by these columns. */
const KEPT = [
  ['administrators', ['owner_id']],
  ['user_group_members', ['group_id']],
  ['workspace_access', ['workspace_id']],
  ['closed_nodes', ['node_id']],
  ['subscriptions', ['node_id']],
  ['stopped_reports', ['node_id']],
  ['notification_preferences', ['workspace_id', 'category_id']],
] as const;

export async function mergeProfile(tx: Queryable, profileId: string, personId: string): Promise<Buffer[]> {
  const both = [profileId, personId];
  for (const [table, keys] of KEPT) {
    const same = keys.map((key) => `kept.${key} = gone.${key}`).join(' AND ');
    await tx.query(
      `DELETE FROM ${table} gone USING ${table} kept WHERE gone.user_id = $1 AND kept.user_id = $2 AND ${same}`,
      both,
    );
    await tx.query(`UPDATE ${table} SET user_id = $2 WHERE user_id = $1`, both);
  }
  await tx.query('UPDATE owners SET owner_user_id = $2 WHERE owner_user_id = $1', both);
  // The owner is no administrator beside that (docs/reference/people-and-security.md#changing-the-account).
  await tx.query(
    'DELETE FROM administrators a USING owners o WHERE o.owner_id = a.owner_id AND a.user_id = $1 AND o.owner_user_id = $1',
    [personId],
  );
  const { rows } = await tx.query<{ key_sha256: Buffer }>(
    'UPDATE api_keys SET user_id = $2 WHERE user_id = $1 RETURNING key_sha256',
    both,
  );
  await tx.query('DELETE FROM users WHERE user_id = $1', [profileId]);
  return rows.map((row) => row.key_sha256);
}

/** The tables that link a profile to its accounts; dependent rows are removed with lost access. */
export async function removeFromAccounts(tx: Queryable, userId: string): Promise<void> {
  for (const table of ['administrators', 'user_group_members', 'workspace_access'])
    await tx.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
}

export async function deleteProfile(tx: Queryable, userId: string): Promise<void> {
  await tx.query('DELETE FROM users WHERE user_id = $1 AND proven_at IS NULL', [userId], 'delete-profile');
}

export async function dropClaims(tx: Queryable, userIds: readonly string[]): Promise<DeletedKey[]> {
  const { rows: dropped } = await tx.query<{ user_id: string }>(
    `UPDATE users SET password_hash = NULL, activated_at = NULL, link_workspace_id = NULL
     WHERE user_id = ANY ($1) AND proven_at IS NULL RETURNING user_id`,
    [userIds],
    'drop-claims',
  );
  const ids = dropped.map((row) => row.user_id);
  await tx.query('DELETE FROM sessions WHERE user_id = ANY ($1)', [ids]);
  await tx.query('DELETE FROM person_links WHERE user_id = ANY ($1)', [ids]);
  return dropKeysOf(tx, ids);
}

export async function dropKeysOf(tx: Queryable, userIds: readonly string[]): Promise<DeletedKey[]> {
  const { rows } = await tx.query<DeletedKey>(
    `DELETE FROM api_keys k USING users u WHERE k.user_id = ANY ($1) AND u.user_id = k.user_id
     RETURNING k.owner_id AS "ownerId", k.label, u.address AS email, k.key_sha256 AS "sha256"`,
    [userIds],
  );
  return rows;
}
