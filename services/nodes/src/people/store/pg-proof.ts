import type { Queryable } from '@catchment/pg';
import type { DeletedKey } from '../../changes/index.ts';

/** Serialises proofs and acceptances for an e-mail, before any account is locked. */
export async function lockAddress(tx: Queryable, email: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('e-mail ' || $1, 0))`, [email], 'lock-address');
}

/** The person who has proven an e-mail. */
export async function provenPerson(on: Queryable, email: string): Promise<string | undefined> {
  const { rows } = await on.query<{ user_id: string }>(
    'SELECT user_id FROM users WHERE address = $1 AND proven_at IS NOT NULL',
    [email],
    'proven-person',
  );
  return rows[0]?.user_id;
}

/** The accounts that have named a person, in the order in which they are locked. */
export async function accountsNaming(on: Queryable, userId: string): Promise<string[]> {
  const { rows } = await on.query<{ owner_id: string }>(
    'SELECT DISTINCT owner_id FROM memberships WHERE user_id = $1 ORDER BY owner_id',
    [userId],
    'accounts-naming',
  );
  return rows.map((row) => row.owner_id);
}

/** The profile becomes the person of its e-mail, and may be in any account from now on. */
export async function markProven(tx: Queryable, userId: string, nowMs: number): Promise<void> {
  await tx.query(
    `UPDATE users SET proven_at = to_timestamp($2 / 1000.0), home_owner_id = NULL, link_workspace_id = NULL
     WHERE user_id = $1 AND proven_at IS NULL`,
    [userId, nowMs],
    'mark-proven',
  );
}

/** The tables in which an account refers to people, and the columns by which two entries are the same. */
const KEPT = [
  ['administrators', ['owner_id']],
  ['user_group_members', ['group_id']],
  ['workspace_access', ['workspace_id']],
  ['closed_nodes', ['node_id']],
  ['subscriptions', ['node_id']],
  ['stopped_reports', ['node_id']],
  ['notification_preferences', ['workspace_id', 'category_id']],
] as const;

/**
 * All that a profile has been given is the person's, and the profile is gone with its password, sessions and links.
 * @returns SHA-256 of the API keys that have another user now
 */
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

/**
 * Old links of these profiles become worthless: password, sessions, links and keys are removed. Profiles that are
 * proven stay as they are.
 */
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

/** Access that other accounts have given to an e-mail and that its owner has not accepted yet. */
export type Invitation = {
  /** Id of the profile; only older people have the same one in several accounts. */
  readonly invitationId: string;
  readonly ownerId: string;
  readonly accountName: string;
  readonly slug: string;
  readonly standing: 'OWNER' | 'ADMINISTRATOR' | 'USER';
  readonly createdMs: number;
};

/** What accepting one bears on. */
type InvitingProfile = Invitation & {
  /** Users of a Workspace were given the profile's link. */
  readonly isOfWorkspace: boolean;
};

const MAX_INVITATIONS = 100;

/** The invitations of the person who has proven the e-mail; nobody else has any. */
export const invitationsOf = async (on: Queryable, personId: string): Promise<Invitation[]> =>
  (await invitingProfilesOf(on, personId)).map(({ isOfWorkspace: _, ...invitation }) => invitation);

/** They, with what accepting them bears on. */
export async function invitingProfilesOf(on: Queryable, personId: string): Promise<InvitingProfile[]> {
  const { rows } = await on.query<InvitingProfile>(
    `SELECT DISTINCT ON (o.owner_id, u.user_id) u.user_id AS "invitationId", o.owner_id AS "ownerId", o.account_name AS "accountName", o.slug,
       CASE WHEN o.owner_user_id = u.user_id THEN 'OWNER'
         WHEN EXISTS (SELECT FROM administrators a WHERE a.owner_id = o.owner_id AND a.user_id = u.user_id) THEN 'ADMINISTRATOR'
         ELSE 'USER' END AS standing,
       floor(extract(epoch FROM u.created_at) * 1000)::bigint AS "createdMs",
       u.link_workspace_id IS NOT NULL AS "isOfWorkspace"
     FROM users p JOIN users u ON u.address = p.address AND u.user_id <> p.user_id
     JOIN memberships m ON m.user_id = u.user_id JOIN owners o ON o.owner_id = m.owner_id
     WHERE p.user_id = $1 AND p.proven_at IS NOT NULL
     ORDER BY o.owner_id, u.user_id LIMIT $2`,
    [personId, MAX_INVITATIONS],
    'invitations-of',
  );
  return rows;
}
