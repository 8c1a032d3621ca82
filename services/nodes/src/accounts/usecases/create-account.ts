import { randomInt } from 'node:crypto';
import type { CreateAccountRequest, CreateAccountResponse } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import { newApiKey, newObjectId, sha256OfKey } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { DEFAULT_ROLES } from '../../access/index.ts';
import { lockOwner, readOwner } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import type { NewKey } from '../../keys/index.ts';
import { ACCOUNT_AUDIENCE, NEW_PROFILE, namePeople, queueMail } from '../../people/index.ts';
import { DEFAULT_CATEGORIES, readAccount, slugOf } from '../domain/account.ts';
import { trialEndMs } from '../domain/trial.ts';
import { accountIdOf } from '../store/accounts-query.ts';
import type { AccountsDeps } from './deps.ts';
import { accountOfKeys, type FirstKeys, readGivenKeys } from './first-keys.ts';
import type { AccountBook, AccountParts, NewOwner, Trials } from './ports.ts';

const SLUG_TRIES = 20;
/** Mails name this giver of an account. */
const OPERATOR = 'Whoever runs this installation';

/**
 * Creates an account with its owner's profile and its first two keys (docs/reference/accounts-and-usage.md#administration).
 * Given keys make one account, however often the request is repeated with them.
 */
export async function createAccount(
  store: AccountBook & Trials & AccountParts,
  deps: AccountsDeps,
  request: CreateAccountRequest,
): Promise<CreateAccountResponse> {
  const given = readGivenKeys(request);
  if (!given) return makeAccount(store, deps, request, { administrationKey: newApiKey(), defaultKey: newApiKey() });
  const made = await accountOfKeys(deps, given);
  if (made) return made;
  try {
    return await makeAccount(store, deps, request, given);
  } catch (error) {
    // The same request may have come at the same time.
    const madeMeanwhile = await accountOfKeys(deps, given);
    if (madeMeanwhile) return madeMeanwhile;
    throw error;
  }
}

async function makeAccount(
  store: AccountBook & Trials & AccountParts,
  deps: AccountsDeps,
  request: CreateAccountRequest,
  keys: FirstKeys,
): Promise<CreateAccountResponse> {
  const accountType = request.accountType || (request.parent ? 'MANAGED' : '');
  const account = readAccount({ ...request, accountType });
  const createdMs = deps.now();
  return deps.database.transaction(async (tx) => {
    const ownerId = newObjectId(createdMs);
    // A profile of the account's own, also for an e-mail that others know: they have no part in this account.
    const change = {
      tx,
      nowMs: createdMs,
      owner: { owner_id: ownerId },
      cause: { timeMs: createdMs, username: OPERATOR },
    };
    const people = await namePeople(change, deps.links, [{ ...NEW_PROFILE, ...account }], ACCOUNT_AUDIENCE);
    const userId = people.userIds.get(account.email) ?? '';
    const parentOwnerId = await checkedParent(tx, account.accountType, request.parent);
    const slug = await insertWithFreeSlug(store, tx, { ...account, ownerId, userId, parentOwnerId, createdMs });
    if (account.accountType === 'TRIAL') await store.startTrial(tx, ownerId, trialEndMs(createdMs));
    await store.insertRoles(
      tx,
      ownerId,
      DEFAULT_ROLES.map((role) => ({ roleId: newObjectId(createdMs), ...role })),
    );
    const holder = { ownerId, userId, createdMs };
    const { administrationKey, defaultKey } = keys;
    await store.insertKey(tx, { ...holder, ...keyOf(defaultKey, 'Default', 'READ_ONLY', 'WORKSPACES') });
    await store.insertKey(tx, { ...holder, ...keyOf(administrationKey, 'Administration', 'MODIFY', 'ACCOUNT') });
    const news = [{ userId, change: 'granted', what: 'the ownership' }] as const;
    await queueMail(change, deps.links, news, { notify: false, people });
    return { ownerId, slug, defaultKey, administrationKey, ownerActivateUrl: people.activateUrls.get(userId) };
  });
}

const keyOf = (
  key: string,
  label: string,
  permission: NewKey['permission'],
  accessLevel: NewKey['accessLevel'],
): NewKey => ({ keyId: newObjectId(), sha256: sha256OfKey(key), last4: key.slice(-4), label, permission, accessLevel });

/**
 * Returns the id of the account that manages the new one (docs/reference/accounts-and-usage.md#account): MANAGED accounts have one,
 * managed TRIALs too.
 */
async function checkedParent(tx: Queryable, accountType: string, parent = ''): Promise<string | null> {
  if (parent === '') {
    if (accountType === 'MANAGED') throw invalidAttribute('parent', 'is required for a MANAGED account');
    return null;
  }
  if (accountType !== 'MANAGED' && accountType !== 'TRIAL')
    throw invalidAttribute('accountType', 'must be MANAGED or TRIAL when parent is given');
  const parentOwnerId = await accountIdOf(tx, parent, 'parent');
  // Also: the parent stays until the new account is there.
  await lockOwner(tx, parentOwnerId);
  if ((await readOwner(tx, parentOwnerId)).parent_owner_id !== null)
    throw invalidAttribute('parent', 'must not be a managed account itself');
  return parentOwnerId;
}

async function insertWithFreeSlug(
  { insertOwner }: AccountBook,
  tx: Queryable,
  account: Omit<NewOwner, 'slug' | 'categories'>,
): Promise<string> {
  const { createdMs } = account;
  const categories = DEFAULT_CATEGORIES.map((name, index) => ({ _id: newObjectId(createdMs), name, index }));
  for (let attempt = 0; attempt < SLUG_TRIES; attempt += 1) {
    const slug = slugOf(account.accountName, attempt === 0 ? 1 : randomInt(2, 1_000_000));
    if (await insertOwner(tx, { ...account, slug, categories })) return slug;
  }
  throw unavailable('NO_FREE_SLUG');
}
