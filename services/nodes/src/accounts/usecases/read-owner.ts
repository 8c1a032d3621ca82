import type { ApiCaller } from '@catchment/access';
import { notFound, notPermitted } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import { checkAccountLevel, readOwner } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { changeProfile, readPerson } from '../../people/index.ts';
import { monthOf } from '../../sending/index.ts';
import { readUse, usageDocument } from '../../usage/index.ts';
import { ownerView, profileView } from '../domain/owner-view.ts';
import { administratorsOf, groupsOf, profileOf } from '../store/account-people-query.ts';
import type { AccountsDeps } from './deps.ts';
import type { AccountParts } from './ports.ts';

/** Returns the caller's account; only keys of level ACCOUNT see people. */
export const getOwner = (deps: AccountsDeps, caller: ApiCaller): Promise<JsonObject> =>
  ownerDocument(deps.database, deps, caller);

/** @param activateUrls links of people whose profile has just been made, by user id */
export async function ownerDocument(
  on: Queryable,
  deps: Pick<AccountsDeps, 'names'>,
  caller: ApiCaller,
  activateUrls: ReadonlyMap<string, string> = new Map(),
): Promise<JsonObject> {
  const owner = await readOwner(on, caller.ownerId);
  if (caller.accessLevel !== 'ACCOUNT') return ownerView(owner, undefined, deps.names);
  const administrators = await administratorsOf(on, caller.ownerId);
  const groups = await groupsOf(on, caller.ownerId);
  return ownerView(owner, { administrators, groups, activateUrls }, deps.names);
}

/**
 * Returns usage of the account and of those that it manages (docs/reference/accounts-and-usage.md#usage).
 * @throws DomainError permission_denied
 */
export async function getUsage(deps: AccountsDeps, caller: ApiCaller): Promise<JsonObject> {
  checkAccountLevel(caller);
  const owner = await readOwner(deps.database, caller.ownerId);
  if (owner.account_type === 'MANAGED' || owner.parent_owner_id !== null) throw notPermitted();
  const { accounts, limits } = await readUse(deps.database, caller.ownerId, monthOf(deps.now()));
  return usageDocument(accounts, limits);
}

/** Changes the profile of the caller's person; only what is sent. @throws DomainError invalid_argument naming the attribute */
export async function updateProfile(
  { saveProfile }: AccountParts,
  deps: AccountsDeps,
  caller: ApiCaller,
  body: JsonObject,
): Promise<JsonObject> {
  await deps.database.transaction(async (tx) => {
    const stored = await readPerson(tx, caller.userId, 'to-change');
    if (!stored) throw notFound();
    await saveProfile(tx, caller.userId, changeProfile(stored, body));
  });
  return getProfile(deps, caller);
}

/** Reads the profile of the key's user. */
export async function getProfile(deps: AccountsDeps, caller: ApiCaller): Promise<JsonObject> {
  const profile = await profileOf(deps.database, caller.ownerId, caller.userId);
  if (!profile) throw notFound();
  return profileView(profile, deps.names);
}
