import { randomInt } from 'node:crypto';
import type { AuthenticateResponse, CreateAccountRequest, CreateAccountResponse } from '@catchment/contracts/nodes';
import { DomainError, unavailable } from '@catchment/errors';
import { newApiKey, newObjectId, sha256OfKey } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { type AccountInput, DEFAULT_CATEGORIES, readAccount, slugOf } from '../domain/account.ts';
import { ensureUser, findKey, insertKey, insertOwner, type NewKey } from '../store/pg-accounts.ts';
import type { Deps } from './deps.ts';

const SLUG_TRIES = 20;

/** An account with its owner's profile and its first two keys (design, «Administration by API»). */
export async function createAccount(deps: Deps, request: CreateAccountRequest): Promise<CreateAccountResponse> {
  const account = readAccount(request);
  const createdMs = deps.now();
  return deps.database.transaction(async (tx) => {
    const ownerId = newObjectId(createdMs);
    const slug = await insertWithFreeSlug(tx, account, ownerId, createdMs);
    const userId = await ensureUser(tx, { ...account, userId: newObjectId(createdMs), createdMs });
    const holder = { ownerId, userId, createdMs };
    const defaultKey = newApiKey();
    const administrationKey = newApiKey();
    await insertKey(tx, { ...holder, ...keyOf(defaultKey, 'Default', 'READ_ONLY', 'WORKSPACES') });
    await insertKey(tx, { ...holder, ...keyOf(administrationKey, 'Administration', 'MODIFY', 'ACCOUNT') });
    return { ownerId, slug, defaultKey, administrationKey };
  });
}

const keyOf = (
  key: string,
  label: string,
  permission: NewKey['permission'],
  accessLevel: NewKey['accessLevel'],
): NewKey => ({ keyId: newObjectId(), sha256: sha256OfKey(key), last4: key.slice(-4), label, permission, accessLevel });

async function insertWithFreeSlug(
  tx: Queryable,
  account: AccountInput,
  ownerId: string,
  createdMs: number,
): Promise<string> {
  const categories = DEFAULT_CATEGORIES.map((name, index) => ({ _id: newObjectId(createdMs), name, index }));
  for (let attempt = 0; attempt < SLUG_TRIES; attempt += 1) {
    const slug = slugOf(account.accountName, attempt === 0 ? 1 : randomInt(2, 1_000_000));
    if (await insertOwner(tx, { ...account, ownerId, slug, categories, createdMs })) return slug;
  }
  throw unavailable('NO_FREE_SLUG');
}

/** Who is behind a key. @throws DomainError unauthenticated when the key is unknown or revoked */
export async function authenticate(deps: Deps, keySha256: Uint8Array): Promise<AuthenticateResponse> {
  const holder = keySha256.length === 32 ? await findKey(deps.database, keySha256) : undefined;
  if (!holder) throw new DomainError('unauthenticated', 'KEY_UNKNOWN', 'Unauthorized: authentication failed');
  return {
    keyId: holder.key_id,
    ownerId: holder.owner_id,
    userId: holder.user_id,
    username: holder.email,
    permission: holder.permission,
    accessLevel: holder.access_level,
    workspaceIds: holder.access_level === 'LIMITED_WORKSPACES' ? holder.workspace_ids : [],
    accountStatus: holder.status,
    accountType: holder.account_type,
  };
}
