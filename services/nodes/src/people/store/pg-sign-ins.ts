import type { Queryable } from '@catchment/pg';
import type { NewSignIn } from '../usecases/ports.ts';
import { MAX_SIGN_INS } from './sign-ins-query.ts';

/** Browsers say no more of themselves. */
const AGENT_MAX = 300;

export async function insertSignIn(tx: Queryable, signIn: NewSignIn): Promise<void> {
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

export async function deleteOldSignIns(on: Queryable, beforeMs: number): Promise<void> {
  await on.query('DELETE FROM sign_ins WHERE at_ms < $1 AND session_sha256 IS NULL', [beforeMs], 'old-sign-ins');
}
