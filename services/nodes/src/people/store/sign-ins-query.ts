import type { Queryable } from '@catchment/pg';
import type { SignedInBy } from '../usecases/ports.ts';

export type SignIn = SignedInBy & {
  readonly signInId: string;
  readonly atMs: number;
  /** Null: the session has ended. */
  readonly sessionSha256: Buffer | null;
  readonly usedMs: number | null;
  readonly expiresMs: number | null;
};

/** A person has as many sign-ins as sessions, so that each of these is among them. */
export const MAX_SIGN_INS = 50;

/** Reads the sessions of a person, the newest first. @param idleMs longest time without use of a session */
export async function signInsOf(on: Queryable, userId: string, nowMs: number, idleMs: number): Promise<SignIn[]> {
  const { rows } = await on.query<SignIn>(
    `SELECT i.sign_in_id AS "signInId", i.at_ms AS "atMs", i.way, i.client_address AS "clientAddress", i.user_agent AS "userAgent",
       s.session_sha256 AS "sessionSha256", s.used_ms AS "usedMs", s.expires_ms AS "expiresMs"
     FROM sign_ins i LEFT JOIN sessions s ON s.session_sha256 = i.session_sha256
       AND s.expires_ms > $2 AND s.used_ms > $2::bigint - $3::bigint
     WHERE i.user_id = $1 ORDER BY i.at_ms DESC, i.sign_in_id DESC LIMIT $4`,
    [userId, nowMs, idleMs, MAX_SIGN_INS],
    'sign-ins',
  );
  return rows;
}
