import type { Queryable } from '@catchment/pg';
import type { LinkPurpose } from '../domain/person-link.ts';

/** Links that a person may hold at once; the oldest give way. */
const MAX_LINKS = 5;

export type NewLink = {
  readonly linkId: string;
  readonly userId: string;
  readonly purpose: LinkPurpose;
  readonly tokenSha256: Buffer;
  readonly createdMs: number;
  readonly expiresMs: number;
};

export async function insertLinks(tx: Queryable, links: readonly NewLink[]): Promise<void> {
  if (links.length === 0) return;
  const userIds = links.map(({ userId }) => userId);
  await tx.query(
    `INSERT INTO person_links (link_id, user_id, purpose, token_sha256, created_ms, expires_ms)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[])`,
    [
      links.map(({ linkId }) => linkId),
      userIds,
      links.map(({ purpose }) => purpose),
      links.map(({ tokenSha256 }) => tokenSha256),
      links.map(({ createdMs }) => createdMs),
      links.map(({ expiresMs }) => expiresMs),
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
};

const OPEN_LINK = `SELECT l.purpose, l.expires_ms AS "expiresMs", u.user_id AS "userId", u.email,
  u.activated_at IS NOT NULL AS "isActive"
  FROM person_links l JOIN users u USING (user_id) WHERE l.token_sha256 = $1 AND l.expires_ms > $2`;

export async function findLink(on: Queryable, tokenSha256: Buffer, nowMs: number): Promise<OpenLink | undefined> {
  return (await on.query<OpenLink>(OPEN_LINK, [tokenSha256, nowMs], 'find-link')).rows[0];
}

/** The same for using it: whoever comes second waits and finds it gone. */
export async function takeLink(tx: Queryable, tokenSha256: Buffer, nowMs: number): Promise<OpenLink | undefined> {
  const { rows } = await tx.query<OpenLink>(`${OPEN_LINK} FOR UPDATE OF l, u`, [tokenSha256, nowMs], 'take-link');
  return rows[0];
}

export async function linkWorks(on: Queryable, linkId: string, nowMs: number): Promise<boolean> {
  const { rows } = await on.query('SELECT 1 FROM person_links WHERE link_id = $1 AND expires_ms > $2', [linkId, nowMs]);
  return rows.length > 0;
}

/** After one is used all others of the person are worth nothing. */
export async function deleteLinksOf(tx: Queryable, userId: string): Promise<void> {
  await tx.query('DELETE FROM person_links WHERE user_id = $1', [userId], 'delete-links');
}
