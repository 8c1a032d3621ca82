import type { Queryable } from '@catchment/pg';

/** An account knows this person by an e-mail. */
type KnownPerson = {
  readonly userId: string;
  readonly email: string;
  readonly isProven: boolean;
  /** Users of this Workspace were given the link of an unproven profile; null = the account was, or there is none. */
  readonly linkWorkspaceId: string | null;
};

/**
 * Finds the people whom an account means by these e-mails, one each: its own profile, or a person who is in the account
 * already. Knowledge of other accounts about an e-mail plays no part (docs/reference/people-and-security.md#people).
 */
export async function knownPeople(
  tx: Queryable,
  ownerId: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, KnownPerson>> {
  if (emails.length === 0) return new Map();
  const { rows } = await tx.query<KnownPerson>(
    `SELECT DISTINCT ON (u.address) u.user_id AS "userId", u.address AS email, u.proven_at IS NOT NULL AS "isProven",
       u.link_workspace_id AS "linkWorkspaceId"
     FROM users u CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM standings s WHERE s.owner_id = $1 AND s.user_id = u.user_id) AS has) stands
     WHERE u.address = ANY ($2) AND (u.home_owner_id = $1 OR stands.has
       OR EXISTS (SELECT FROM memberships m WHERE m.owner_id = $1 AND m.user_id = u.user_id))
     ORDER BY u.address, stands.has DESC, u.proven_at IS NULL, u.user_id`,
    [ownerId, emails],
    'known-people',
  );
  return new Map(rows.map((row) => [row.email, row]));
}
