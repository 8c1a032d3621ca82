import type { AuthenticateResponse } from '@catchment/contracts/nodes';
import type { SignInRequest, SignInResponse } from '@catchment/contracts/people';
import { DomainError, notFound, notPermitted } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { rightsOf } from '../../rights/index.ts';
import { findSession, type Session } from '../store/sessions-query.ts';
import { accountsOf, type PasswordOf, type PersonAccount, passwordsOf, standingIn } from '../store/sign-in-query.ts';
import type { PeopleDeps, SignInDeps } from './deps.ts';
import { limitSignIn } from './limit-attempts.ts';
import { findPassword } from './password-hash.ts';
import type { AttemptCounts, PeopleStore, ProfileStore, SessionStore, SignedInBy } from './ports.ts';
import { recordSignIn } from './sign-in-events.ts';

/** The time of the last use is at most this old. */
const TOUCH_MS = 60_000;
/** The password of this many profiles of one e-mail is tried. */
const PROFILES_TRIED = 20;

/** @throws DomainError unauthenticated when e-mail or password is wrong, resource_exhausted after too many attempts */
export async function signIn(store: PeopleStore, deps: SignInDeps, request: SignInRequest): Promise<SignInResponse> {
  const { database } = deps;
  const email = request.email.trim().toLowerCase();
  const forgive = await limitSignIn(store, deps, email, request.clientAddress, deps.now());
  const profiles = await passwordsOf(database, email, request.account, PROFILES_TRIED);
  const [first = -1] = await findPassword(
    request.password,
    profiles.map(({ hash }) => hash),
  );
  const person = profiles[first];
  if (!person) {
    await noteFailure(store, deps, email, profiles);
    throw wrongPassword();
  }
  await forgive();
  return database.transaction(async (tx) => {
    await recordSignIn(store, tx, 'signed in', { email, userIds: [person.userId] }, deps.now());
    const { sessionSha256: sha256, account, clientAddress, userAgent } = request;
    const by = { way: 'password', clientAddress, userAgent } as const;
    return openSession(store, tx, deps, { ...person, sha256, account, by });
  });
}

/** Notes a failure in the event logs of the accounts. Profiles that have not proven the e-mail get no entry if another profile has. */
function noteFailure(
  counts: AttemptCounts,
  { database, now }: SignInDeps,
  email: string,
  profiles: readonly PasswordOf[],
): Promise<void> {
  const proven = profiles.filter(({ isProven }) => isProven);
  const userIds = (proven.length > 0 ? proven : profiles).map(({ userId }) => userId);
  return database.transaction((tx) => recordSignIn(counts, tx, 'failed', { email, userIds }, now()));
}

export const wrongPassword = (): DomainError =>
  new DomainError('unauthenticated', 'SIGN_IN_FAILED', 'The e-mail address or the password is wrong.');

/**
 * Signs in a person whose identity is proven.
 * @param person.account owner id or slug to work in, empty = the first one
 * @param person.preferred owner id of the account to work in where that is possible
 */
export async function openSession(
  store: SessionStore & ProfileStore,
  tx: Queryable,
  deps: SignInDeps,
  person: {
    userId: string;
    email: string;
    sha256: Uint8Array;
    account: string;
    preferred?: string | null;
    by: SignedInBy;
  },
): Promise<SignInResponse> {
  const { userId, sha256 } = person;
  if (sha256.length !== 32) throw new DomainError('invalid_argument', 'BAD_SESSION', 'sessionSha256: must be 32 bytes');
  const nowMs = deps.now();
  const accounts = await accountsOf(tx, userId, nowMs);
  const preferred = accounts.find(({ ownerId }) => ownerId === person.preferred);
  const ownerId = (preferred ?? accountIn(accounts, person.account))?.ownerId ?? null;
  const expiresMs = nowMs + deps.sessionMaxMs;
  await store.insertSession(tx, sha256, { userId, ownerId, createdMs: nowMs, expiresMs });
  await store.insertSignIn(tx, {
    ...person.by,
    signInId: newObjectId(nowMs),
    userId,
    atMs: nowMs,
    sessionSha256: sha256,
  });
  await store.noteSignIn(tx, userId, nowMs);
  return { userId, username: person.email, ownerId: ownerId ?? '', expiresMs };
}

/** @throws DomainError permission_denied when an account is named to which the person has no access */
function accountIn(accounts: readonly PersonAccount[], wanted: string): PersonAccount | undefined {
  const name = wanted.trim().toLowerCase();
  if (name === '') return accounts.find(({ status }) => status === 'ACTIVE') ?? accounts[0];
  const found = accounts.find(({ ownerId, slug }) => ownerId === name || slug === name);
  if (!found) throw notPermitted('account: you have no access to this account');
  return found;
}

export const signOut = (
  store: SessionStore & AttemptCounts,
  { database, now }: PeopleDeps,
  sha256: Uint8Array,
): Promise<void> =>
  database.transaction(async (tx) => {
    const person = await store.deleteSession(tx, sha256);
    if (person) await recordSignIn(store, tx, 'signed out', { ...person, userIds: [person.userId] }, now());
  });

/** @throws DomainError unauthenticated when the session is unknown or has ended */
export async function requireSession(
  { touchSession }: Pick<SessionStore, 'touchSession'>,
  on: Queryable,
  deps: SignInDeps,
  sha256: Uint8Array,
): Promise<Session> {
  const nowMs = deps.now();
  const session = sha256.length === 32 ? await findSession(on, sha256, nowMs, deps.sessionIdleMs) : undefined;
  if (!session) throw new DomainError('unauthenticated', 'SESSION_ENDED', 'Unauthorized: authentication failed');
  // A request is not refused because this could not be noted.
  if (nowMs - session.usedMs >= TOUCH_MS)
    await touchSession(deps.database, sha256, nowMs).catch((err: unknown) =>
      deps.log.warn({ err }, 'use of a session could not be noted'),
    );
  return session;
}

/**
 * Returns the rights of a session over the API in the account that it works in
 * (docs/reference/people-and-security.md#permission-by-operation,
 * docs/reference/people-and-security.md#effective-permissions): everything for owner, administrators and managers; what
 * their roles allow for workspace users.
 * @param account owner id of the account that is meant; empty = the one that the session works in
 * @throws DomainError unauthenticated, permission_denied when the person has no access to the account any more
 */
export async function authenticateSession(
  sessions: SessionStore,
  deps: SignInDeps,
  sha256: Uint8Array,
  account: string,
): Promise<AuthenticateResponse> {
  const { database } = deps;
  const session = await requireSession(sessions, database, deps, sha256);
  const { userId, email } = session;
  const nowMs = deps.now();
  const ownerId = account === '' ? session.ownerId : account;
  const standing = ownerId === null ? undefined : await standingIn(database, userId, ownerId, nowMs);
  if (!standing || ownerId === null) throw notPermitted('You have no access to this account');
  const rights = standing.hasStanding ? undefined : await rightsOf(database, ownerId, userId, nowMs);
  return {
    keyId: `session:${Buffer.from(sha256).toString('hex')}`,
    ownerId,
    userId,
    username: email,
    permission: 'MODIFY',
    accessLevel: standing.hasStanding ? 'ACCOUNT' : 'WORKSPACES',
    workspaceIds: [],
    accountStatus: standing.status,
    accountType: standing.accountType,
    rights,
  };
}

/** @throws DomainError unauthenticated, not_found when the person has no access to the account */
export async function chooseAccount(
  sessions: SessionStore,
  deps: SignInDeps,
  sha256: Uint8Array,
  ownerId: string,
): Promise<void> {
  const { userId } = await requireSession(sessions, deps.database, deps, sha256);
  if (!(await standingIn(deps.database, userId, ownerId, deps.now()))) throw notFound();
  await sessions.setSessionAccount(deps.database, sha256, ownerId);
}
