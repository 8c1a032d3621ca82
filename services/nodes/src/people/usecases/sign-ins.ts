import type { ListSignInsResponse } from '@catchment/contracts/people';
import { notFound } from '@catchment/errors';
import { normaliseObjectId } from '@catchment/ids';
import { signInsOf } from '../store/sign-ins-query.ts';
import type { SignInDeps } from './deps.ts';
import type { AttemptCounts, SessionStore } from './ports.ts';
import { requireSession } from './sign-in.ts';
import { recordSignIn } from './sign-in-events.ts';

/** Lists how the person behind a session came in lately, the newest first. @throws DomainError unauthenticated */
export async function listSignIns(
  sessions: SessionStore,
  deps: SignInDeps,
  sha256: Uint8Array,
): Promise<ListSignInsResponse> {
  const { database, now, sessionIdleMs } = deps;
  const { userId } = await requireSession(sessions, database, deps, sha256);
  const found = await signInsOf(database, userId, now(), sessionIdleMs);
  return {
    signIns: found.map(({ sessionSha256, usedMs, expiresMs, ...signIn }) => ({
      ...signIn,
      usedMs: usedMs ?? undefined,
      expiresMs: expiresMs ?? undefined,
      isCurrent: sessionSha256?.equals(sha256) ?? false,
    })),
  };
}

/** Ends the session of a sign-in, as signing out there does. @throws DomainError unauthenticated, not_found: of others, and ended ones */
export async function endSignIn(
  sessions: SessionStore & AttemptCounts,
  deps: SignInDeps,
  sha256: Uint8Array,
  signInId: string,
): Promise<void> {
  const { database, now, sessionIdleMs } = deps;
  const { userId } = await requireSession(sessions, database, deps, sha256);
  const wanted = normaliseObjectId(signInId);
  await database.transaction(async (tx) => {
    const found = (await signInsOf(tx, userId, now(), sessionIdleMs)).find((signIn) => signIn.signInId === wanted);
    const person = found?.sessionSha256 && (await sessions.deleteSession(tx, found.sessionSha256));
    if (!person) throw notFound();
    await recordSignIn(sessions, tx, 'signed out', { ...person, userIds: [userId] }, now());
  });
}
