import type { Queryable } from '@catchment/pg';
import type { LinkPurpose } from '../domain/person-link.ts';

/** The link still works; it is locked with its person. */
export type OpenLink = {
  readonly purpose: LinkPurpose;
  readonly expiresMs: number;
  readonly userId: string;
  readonly email: string;
  readonly isActive: boolean;
  readonly provesEmail: boolean;
  /** This account owns the profile; null = a person, or a profile of an older version. */
  readonly homeOwnerId: string | null;
  readonly isProven: boolean;
  /** Users of this Workspace were given the profile's link. */
  readonly linkWorkspaceId: string | null;
};

const OPEN_LINK = `SELECT l.purpose, l.expires_ms AS "expiresMs", u.user_id AS "userId", u.address AS email,
  u.activated_at IS NOT NULL AS "isActive", l.proves_email AS "provesEmail", u.home_owner_id AS "homeOwnerId",
  u.proven_at IS NOT NULL AS "isProven", u.link_workspace_id AS "linkWorkspaceId"
  FROM person_links l JOIN users u USING (user_id) WHERE l.token_sha256 = $1 AND l.expires_ms > $2`;

export async function findLink(on: Queryable, tokenSha256: Buffer, nowMs: number): Promise<OpenLink | undefined> {
  return (await on.query<OpenLink>(OPEN_LINK, [tokenSha256, nowMs], 'find-link')).rows[0];
}

/** Does the same for using it: a second use waits and finds it gone. */
export async function takeLink(tx: Queryable, tokenSha256: Buffer, nowMs: number): Promise<OpenLink | undefined> {
  const { rows } = await tx.query<OpenLink>(`${OPEN_LINK} FOR UPDATE OF l, u`, [tokenSha256, nowMs], 'take-link');
  return rows[0];
}

/** The link of a mail is for this person. */
type MailedLink = {
  /** Another profile has the same e-mail: that of another account, or of the person who has proven it. */
  readonly isKnown: boolean;
  /** Somebody else has proven the e-mail. */
  readonly hasPerson: boolean;
};

/** @returns undefined when the link has been used or has ended */
export async function mailedLink(on: Queryable, linkId: string, nowMs: number): Promise<MailedLink | undefined> {
  const { rows } = await on.query<MailedLink>(
    `SELECT count(other.user_id) > 0 AS "isKnown", count(other.proven_at) > 0 AS "hasPerson"
     FROM person_links l JOIN users u USING (user_id) LEFT JOIN users other ON other.address = u.address AND other.user_id <> u.user_id
     WHERE l.link_id = $1 AND l.expires_ms > $2 GROUP BY l.link_id`,
    [linkId, nowMs],
    'mailed-link',
  );
  return rows[0];
}
