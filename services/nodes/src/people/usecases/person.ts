import type { ChangePasswordRequest, Person, Profile } from '@catchment/contracts/people';
import { notFound } from '@catchment/errors';
import { readPassword } from '../domain/password.ts';
import { type GivenProfile, readProfile } from '../domain/user-entry.ts';
import { invitationsOf } from '../store/proof-query.ts';
import { accountsOf, passwordOf, readPerson } from '../store/sign-in-query.ts';
import type { SignInDeps } from './deps.ts';
import { limitSignIn } from './limit-attempts.ts';
import { verifyPassword } from './password-hash.ts';
import type { PeopleStore, ProfileStore, SessionStore } from './ports.ts';
import { requireSession, wrongPassword } from './sign-in.ts';
import { storePassword } from './store-password.ts';

/** Returns the person behind a session; the account that it works in is another one when access to it is gone. */
export async function getPerson(sessions: SessionStore, deps: SignInDeps, sha256: Uint8Array): Promise<Person> {
  const { database } = deps;
  const { userId, ownerId } = await requireSession(sessions, database, deps, sha256);
  const stored = await readPerson(database, userId);
  if (!stored) throw notFound();
  const accounts = await accountsOf(database, userId, deps.now());
  const current = accounts.find((account) => account.ownerId === ownerId) ?? accounts[0];
  if ((current?.ownerId ?? null) !== ownerId)
    await sessions.setSessionAccount(database, sha256, current?.ownerId ?? null);
  return {
    userId,
    email: stored.email,
    profile: profileOf(stored),
    lastLoginMs: stored.lastLoginMs ?? undefined,
    ownerId: current?.ownerId ?? '',
    accounts,
    isProven: stored.isProven,
    isOperator: isOperator(deps, stored),
    invitations: await invitationsOf(database, userId),
  };
}

type Known = { readonly email: string; readonly isProven: boolean };

/** An administrator of any account can make a profile for an e-mail: its owner is who has opened a link that went there. */
const isOperator = ({ operators }: SignInDeps, { email, isProven }: Known): boolean =>
  isProven && operators?.has(email) === true;

/** Finds the e-mail of the operator behind a session. @throws DomainError unauthenticated, not_found for everybody else */
export async function requireOperator(sessions: SessionStore, deps: SignInDeps, sha256: Uint8Array): Promise<string> {
  const { userId } = await requireSession(sessions, deps.database, deps, sha256);
  const stored = await readPerson(deps.database, userId);
  if (!stored || !isOperator(deps, stored)) throw notFound();
  return stored.email;
}

/** @throws DomainError unauthenticated, invalid_argument naming the attribute */
export async function updatePerson(
  store: SessionStore & ProfileStore,
  deps: SignInDeps,
  sha256: Uint8Array,
  profile: Profile | undefined,
): Promise<void> {
  const { userId } = await requireSession(store, deps.database, deps, sha256);
  await store.saveProfile(deps.database, userId, readGivenProfile(profile));
}

/** Ends all other sessions of the person. @throws DomainError unauthenticated, invalid_argument, resource_exhausted */
export async function changePassword(
  store: PeopleStore,
  deps: SignInDeps,
  request: ChangePasswordRequest,
): Promise<void> {
  const { database } = deps;
  const { userId, email } = await requireSession(store, database, deps, request.sessionSha256);
  const password = readPassword(request.newPassword, email, 'newPassword');
  // The place is the session's person: a browser left open is no better place to guess from than any other.
  const forgive = await limitSignIn(store, deps, email, `session of ${userId}`, deps.now());
  if (!(await verifyPassword(request.currentPassword, await passwordOf(database, userId)))) throw wrongPassword();
  await forgive();
  await storePassword(deps, email, password, async (tx, hash) => {
    await store.savePassword(tx, userId, hash, deps.now());
    await store.deleteSessionsOf(tx, userId, request.sessionSha256);
    await store.deleteLinksOf(tx, [userId]);
  });
}

export const profileOf = (stored: GivenProfile): Profile => ({
  firstName: stored.firstName,
  lastName: stored.lastName,
  phone: stored.phone ?? '',
  timezone: stored.timezone ?? '',
  timezoneAdjustForDst: stored.timezoneAdjustForDst,
  timeFormat: stored.timeFormat,
});

/** Reads a profile as a form gives it: empty = none. @throws DomainError invalid_argument naming the attribute */
export function readGivenProfile(profile: Profile | undefined): GivenProfile {
  const { firstName = '', lastName = '', phone = '', timezone = '', timeFormat = '' } = profile ?? {};
  const isSet = (text: string) => text.trim() !== '';
  return readProfile(
    {
      name: { first: firstName.trim(), last: lastName.trim() },
      ...(isSet(phone) && { phone: phone.replaceAll(/[\s()/-]/g, '') }),
      ...(isSet(timezone) && { timezone: timezone.trim() }),
      timezoneAdjustForDst: profile?.timezoneAdjustForDst ?? true,
      ...(isSet(timeFormat) && { timeFormat: timeFormat.trim() }),
    },
    '',
  );
}
