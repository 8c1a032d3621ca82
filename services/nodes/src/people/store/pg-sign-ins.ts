import type { Queryable } from '@catchment/pg';

/** How somebody came in. */
export type SignedInBy = {
  readonly way: 'password' | 'link';
  /** The address as the gateway knows it; empty = not known. */
  readonly clientAddress: string;
  /** The browser says this of itself; empty = nothing. */
  readonly userAgent: string;
};
export type SignIn = SignedInBy & {
  readonly signInId: string;
  readonly atMs: number;
  /** Null: the session has ended. */
  readonly sessionSha256: Buffer | null;
  readonly usedMs: number | null;
  readonly expiresMs: number | null;
};

/** A person has as many sign-ins as sessions, so that each of these is among them. */
const MAX_SIGN_INS = 50;
/** Browsers say no more of themselves. */
const AGENT_MAX = 300;

export async function insertSignIn(
  tx: Queryable,
  signIn: SignedInBy & { signInId: string; userId: string; atMs: number; sessionSha256: Uint8Array },
): Promise<void> {
  const { signInId, userId, atMs, way, clientAddress, userAgent, sessionSha256 } = signIn;
  await tx.query(
    `INSERT INTO sign_ins (sign_in_id, user_id, at_ms, way, client_address, user_agent, session_sha256)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [signInId, userId, atMs, way, clientAddress, userAgent.slice(0, AGENT_MAX), Buffer.from(sessionSha256)],
    'insert-sign-in',
  );
  await tx.query(
    `DELETE FROM sign_ins WHERE sign_in_id IN
       (SELECT sign_in_id FROM sign_ins WHERE user_id = $1 ORDER BY at_ms DESC, sign_in_id DESC OFFSET $2)`,
    [userId, MAX_SIGN_INS],
    'limit-sign-ins',
  );
}

/** Those of a person, the newest first. @param idleMs longest time without use of a session */
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

export async function deleteOldSignIns(on: Queryable, beforeMs: number): Promise<void> {
  await on.query('DELETE FROM sign_ins WHERE at_ms < $1 AND session_sha256 IS NULL', [beforeMs], 'old-sign-ins');
}
