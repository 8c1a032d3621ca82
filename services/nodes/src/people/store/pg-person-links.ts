import type { Queryable } from '@catchment/pg';
import type { LinkPurpose } from '../domain/person-link.ts';

/** Links that a person may hold at once; the oldest give way. */
const MAX_LINKS = 5;

type NewLink = {
  readonly linkId: string;
  readonly userId: string;
  readonly purpose: LinkPurpose;
  readonly tokenSha256: Buffer;
  /** It goes to the e-mail itself, or comes from the operator of the installation: opening it proves the e-mail. */
  readonly provesEmail: boolean;
  readonly createdMs: number;
  readonly expiresMs: number;
};

export async function insertLinks(tx: Queryable, links: readonly NewLink[]): Promise<void> {
  if (links.length === 0) return;
  const userIds = links.map(({ userId }) => userId);
  await tx.query(
    `INSERT INTO person_links (link_id, user_id, purpose, token_sha256, created_ms, expires_ms, proves_email)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[], $7::boolean[])`,
    [
      links.map(({ linkId }) => linkId),
      userIds,
      links.map(({ purpose }) => purpose),
      links.map(({ tokenSha256 }) => tokenSha256),
      links.map(({ createdMs }) => createdMs),
      links.map(({ expiresMs }) => expiresMs),
      links.map(({ provesEmail }) => provesEmail),
    ],
    'insert-links',
  );
  await tx.query(
    `DELETE FROM person_links WHERE link_id IN (
       SELECT link_id FROM (
         SELECT link_id, row_number() OVER (PARTITION BY user_id ORDER BY created_ms DESC, link_id) AS n
         FROM person_links WHERE user_id = ANY($1)) newest
       WHERE n > $2)`,
    [userIds, MAX_LINKS],
    'limit-links',
  );
}

/** A link that still works, locked with its person. */
export type OpenLink = {
  readonly purpose: LinkPurpose;
  readonly expiresMs: number;
  readonly userId: string;
  readonly email: string;
  readonly isActive: boolean;
  readonly provesEmail: boolean;
  /** The account that owns the profile; null = a person, or a profile of an older version. */
  readonly homeOwnerId: string | null;
  readonly isProven: boolean;
  /** The Workspace whose users were given the profile's link. */
  readonly linkWorkspaceId: string | null;
};

const OPEN_LINK = `SELECT l.purpose, l.expires_ms AS "expiresMs", u.user_id AS "userId", u.address AS email,
  u.activated_at IS NOT NULL AS "isActive", l.proves_email AS "provesEmail", u.home_owner_id AS "homeOwnerId",
  u.proven_at IS NOT NULL AS "isProven", u.link_workspace_id AS "linkWorkspaceId"
  FROM person_links l JOIN users u USING (user_id) WHERE l.token_sha256 = $1 AND l.expires_ms > $2`;

export async function findLink(on: Queryable, tokenSha256: Buffer, nowMs: number): Promise<OpenLink | undefined> {
  return (await on.query<OpenLink>(OPEN_LINK, [tokenSha256, nowMs], 'find-link')).rows[0];
}

/** The same for using it: a second use waits and finds it gone. */
export async function takeLink(tx: Queryable, tokenSha256: Buffer, nowMs: number): Promise<OpenLink | undefined> {
  const { rows } = await tx.query<OpenLink>(`${OPEN_LINK} FOR UPDATE OF l, u`, [tokenSha256, nowMs], 'take-link');
  return rows[0];
}

/** The person that the link of a mail is for. */
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

/** After one is used all others of the person are worth nothing. */
export async function deleteLinksOf(tx: Queryable, userIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM person_links WHERE user_id = ANY ($1)', [userIds], 'delete-links');
}
