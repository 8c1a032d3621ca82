import type { Queryable } from '@catchment/pg';
import type { NewLink } from '../usecases/ports.ts';

/** A person may hold this many links; the oldest give way. */
const MAX_LINKS = 5;

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

export async function deleteLinksOf(tx: Queryable, userIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM person_links WHERE user_id = ANY ($1)', [userIds], 'delete-links');
}
