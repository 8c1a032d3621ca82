import type { AcceptInvitationRequest, DeclineInvitationRequest, Invitation } from '@catchment/contracts/people';
import { DomainError, notFound } from '@catchment/errors';
import { normaliseObjectId } from '@catchment/ids';
import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import { accountEvent, type Cause, keyChanged, keysDeleted, lockOwner, withManaged } from '../../changes/index.ts';
import { dropLostAccess } from '../../rights/index.ts';
import { accountsNaming, invitationsOf, invitingProfilesOf, lockAddress } from '../store/proof-query.ts';
import type { SignInDeps } from './deps.ts';
import type { ProfileStore, SessionStore } from './ports.ts';
import { requireSession } from './sign-in.ts';

/** Lists invitations of other accounts to the person's e-mail; none while it is not proven. @throws DomainError unauthenticated */
export async function listInvitations(
  sessions: SessionStore,
  deps: SignInDeps,
  sessionSha256: Uint8Array,
): Promise<Invitation[]> {
  const { userId } = await requireSession(sessions, deps.database, deps, sessionSha256);
  return invitationsOf(deps.database, userId);
}

/**
 * Takes what an account has given: from now on the person has it, and the account sees the person's own profile.
 * @throws DomainError unauthenticated, not_found
 */
export function acceptInvitation(
  store: SessionStore & ProfileStore,
  deps: SignInDeps,
  request: AcceptInvitationRequest,
): Promise<void> {
  return answer(store, deps, request, async (tx, { personId, profile, cause }) => {
    await mergeInto(store, tx, profile, personId, cause);
  });
}

/**
 * Refuses it: the account loses its profile of this e-mail.
 * @throws DomainError unauthenticated, not_found, failed_precondition for the ownership of an account
 */
export function declineInvitation(
  store: SessionStore & ProfileStore,
  deps: SignInDeps,
  request: DeclineInvitationRequest,
): Promise<void> {
  return answer(store, deps, request, async (tx, { profile, cause, isOwner }) => {
    if (isOwner)
      throw new DomainError(
        'failed_precondition',
        'OWNER_CANNOT_DECLINE',
        'id: the ownership of an account cannot be declined; whoever runs this installation can delete the account',
      );
    const { userId, ownerIds } = profile;
    await appendOutbox(tx, keysDeleted(await store.dropKeysOf(tx, [userId]), cause));
    await store.removeFromAccounts(tx, userId);
    for (const ownerId of ownerIds) await dropLostAccess(tx, await withManaged(tx, ownerId), cause);
    await store.deleteProfile(tx, userId);
    await appendOutbox(tx, securityEvents(ownerIds, 'Declined the access to the account', cause));
  });
}

type Profile = {
  readonly userId: string;
  /** These accounts have named the profile; they are locked. */
  readonly ownerIds: readonly string[];
  /** Users of a Workspace had its link: keys that may be theirs end with it. */
  readonly isOfWorkspace: boolean;
};

/** Runs an answer with the e-mail and the accounts concerned locked. */
async function answer(
  sessions: SessionStore,
  deps: SignInDeps,
  { sessionSha256, invitationId }: AcceptInvitationRequest | DeclineInvitationRequest,
  work: (tx: Queryable, found: { personId: string; profile: Profile; cause: Cause; isOwner: boolean }) => Promise<void>,
): Promise<void> {
  const { userId: personId, email } = await requireSession(sessions, deps.database, deps, sessionSha256);
  const profileId = normaliseObjectId(invitationId);
  const find = async (on: Queryable) => {
    const these = (await invitingProfilesOf(on, personId)).filter(
      (invitingProfile) => invitingProfile.invitationId === profileId,
    );
    if (profileId === undefined || these.length === 0) throw notFound();
    return { profileId, these };
  };
  // Checked before the locks: an unknown invitation must not block other accounts.
  await find(deps.database);
  await deps.database.transaction(async (tx) => {
    await lockAddress(tx, email);
    const ownerIds = await lockAccountsNaming(tx, profileId ?? '');
    const { profileId: userId, these } = await find(tx);
    const profile = { userId, ownerIds, isOfWorkspace: these.some((invitation) => invitation.isOfWorkspace) };
    const cause = { timeMs: deps.now(), username: email };
    await work(tx, { personId, profile, cause, isOwner: these.some(({ standing }) => standing === 'OWNER') });
  });
}

/** Locks the accounts that have named a person. @returns their ids */
export async function lockAccountsNaming(tx: Queryable, userId: string): Promise<string[]> {
  const ownerIds = await accountsNaming(tx, userId);
  for (const ownerId of ownerIds) await lockOwner(tx, ownerId);
  return ownerIds;
}

/** A profile becomes part of the person. */
export async function mergeInto(
  { dropKeysOf, mergeProfile, touchOwners }: ProfileStore,
  tx: Queryable,
  { userId, ownerIds, isOfWorkspace }: Profile,
  personId: string,
  cause: Cause,
): Promise<void> {
  if (isOfWorkspace) await appendOutbox(tx, keysDeleted(await dropKeysOf(tx, [userId]), cause));
  const keys = await mergeProfile(tx, userId, personId);
  await touchOwners(tx, ownerIds, 'security');
  await appendOutbox(tx, [
    ...keys.map(keyChanged),
    ...securityEvents(ownerIds, 'Accepted the access to the account', cause),
  ]);
}

const securityEvents = (ownerIds: readonly string[], message: string, cause: Cause): OutboxMessage[] =>
  ownerIds.map((ownerId) => accountEvent(ownerId, 'SECURITY', message, cause));
