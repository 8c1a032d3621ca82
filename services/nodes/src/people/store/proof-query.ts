import type { Queryable } from '@catchment/pg';

/** Serialises proofs and acceptances for an e-mail, before any account is locked. */
export async function lockAddress(tx: Queryable, email: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('e-mail ' || $1, 0))`, [email], 'lock-address');
}

/** Finds the person who has proven an e-mail. */
export async function provenPerson(on: Queryable, email: string): Promise<string | undefined> {
  const { rows } = await on.query<{ user_id: string }>(
    'SELECT user_id FROM users WHERE address = $1 AND proven_at IS NOT NULL',
    [email],
    'proven-person',
  );
  return rows[0]?.user_id;
}

/** Reads the accounts that have named a person, in the order in which they are locked. */
export async function accountsNaming(on: Queryable, userId: string): Promise<string[]> {
  const { rows } = await on.query<{ owner_id: string }>(
    'SELECT DISTINCT owner_id FROM memberships WHERE user_id = $1 ORDER BY owner_id',
    [userId],
    'accounts-naming',
  );
  return rows.map((row) => row.owner_id);
}

/** Other accounts have given this access to an e-mail, whose owner has not accepted it yet. */
export type Invitation = {
  /** Id of the profile; only older people have the same one in several accounts. */
  readonly invitationId: string;
  readonly ownerId: string;
  readonly accountName: string;
  readonly slug: string;
  readonly standing: 'OWNER' | 'ADMINISTRATOR' | 'USER';
  readonly createdMs: number;
};

/** Accepting an invitation bears on these. */
type InvitingProfile = Invitation & {
  /** Users of a Workspace were given the profile's link. */
  readonly isOfWorkspace: boolean;
};

const MAX_INVITATIONS = 100;

/** Lists the invitations of the person who has proven the e-mail; nobody else has any. */
export const invitationsOf = async (on: Queryable, personId: string): Promise<Invitation[]> =>
  (await invitingProfilesOf(on, personId)).map(({ isOfWorkspace: _, ...invitation }) => invitation);

/** Reads invitations with what accepting them bears on. */
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
