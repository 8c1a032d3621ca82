import type { Queryable } from '@catchment/pg';

export type Session = {
  readonly userId: string;
  readonly email: string;
  /** It works in this account. */
  readonly ownerId: string | null;
  readonly usedMs: number;
  readonly expiresMs: number;
};

/** Finds a session that has not ended. @param idleMs longest time without use */
export async function findSession(
  on: Queryable,
  sha256: Uint8Array,
  nowMs: number,
  idleMs: number,
): Promise<Session | undefined> {
  const { rows } = await on.query<Session>(
    `SELECT s.user_id AS "userId", u.address AS email, s.owner_id AS "ownerId", s.used_ms AS "usedMs", s.expires_ms AS "expiresMs"
     FROM sessions s JOIN users u USING (user_id)
     WHERE s.session_sha256 = $1 AND s.expires_ms > $2 AND s.used_ms > $2::bigint - $3::bigint`,
    [Buffer.from(sha256), nowMs, idleMs],
    'find-session',
  );
  return rows[0];
}
