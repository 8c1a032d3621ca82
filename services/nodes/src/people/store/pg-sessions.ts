import type { Queryable } from '@catchment/pg';
import type { NewSession } from '../usecases/ports.ts';
import { deleteOldSignIns } from './pg-sign-ins.ts';

/** A person has this many sessions; the oldest give way. */
const MAX_SESSIONS = 50;

export async function insertSession(tx: Queryable, sha256: Uint8Array, session: NewSession): Promise<void> {
  const { userId, ownerId, createdMs, expiresMs } = session;
  await tx.query(
    `INSERT INTO sessions (session_sha256, user_id, owner_id, created_ms, used_ms, expires_ms) VALUES ($1, $2, $3, $4, $4, $5)`,
    [Buffer.from(sha256), userId, ownerId, createdMs, expiresMs],
    'insert-session',
  );
  await tx.query(
    `DELETE FROM sessions WHERE session_sha256 IN
       (SELECT session_sha256 FROM sessions WHERE user_id = $1 ORDER BY created_ms DESC, session_sha256 OFFSET $2)`,
    [userId, MAX_SESSIONS],
    'limit-sessions',
  );
}

export async function touchSession(on: Queryable, sha256: Uint8Array, nowMs: number): Promise<void> {
  await on.query('UPDATE sessions SET used_ms = $2 WHERE session_sha256 = $1', [Buffer.from(sha256), nowMs]);
}

export async function setSessionAccount(on: Queryable, sha256: Uint8Array, ownerId: string | null): Promise<void> {
  await on.query('UPDATE sessions SET owner_id = $2 WHERE session_sha256 = $1', [Buffer.from(sha256), ownerId]);
}

export async function deleteSession(
  on: Queryable,
  sha256: Uint8Array,
): Promise<{ userId: string; email: string } | undefined> {
  const { rows } = await on.query<{ userId: string; email: string }>(
    `DELETE FROM sessions s USING users u WHERE s.session_sha256 = $1 AND u.user_id = s.user_id
     RETURNING u.user_id AS "userId", u.address AS email`,
    [Buffer.from(sha256)],
    'delete-session',
  );
  return rows[0];
}

export async function deleteSessionsOf(tx: Queryable, userId: string, kept?: Uint8Array): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE user_id = $1 AND session_sha256 IS DISTINCT FROM $2', [
    userId,
    kept ? Buffer.from(kept) : null,
  ]);
}

/** A sign-in whose session has ended is shown so long. */
const SIGN_INS_KEPT_MS = 90 * 86_400_000;

/** Removes expired rows: sessions, sign-ins, links, windows of attempts. */
export async function deleteEnded(on: Queryable, nowMs: number, idleMs: number): Promise<void> {
  await on.query('DELETE FROM sessions WHERE expires_ms <= $1 OR used_ms <= $1::bigint - $2::bigint', [nowMs, idleMs]);
  await deleteOldSignIns(on, nowMs - SIGN_INS_KEPT_MS);
  await on.query('DELETE FROM person_links WHERE expires_ms <= $1', [nowMs]);
  await on.query('DELETE FROM attempts WHERE window_ends_ms <= $1', [nowMs]);
}
