import { type ApiCaller, scopeOf } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { newObjectId, normaliseObjectId } from '@catchment/ids';
import { type Collection, changeAccountOf, type EntryDeps, type StoreDeps } from '../../changes/index.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { keysOf, type StoredKey } from '../store/keys-query.ts';

type Keys = Collection<StoredKey>;

/** One person has at most this many keys in one account. */
const MAX_OWN_KEYS = 50;

/** Lists the keys that the caller has made in the account (docs/reference/authentication.md#api-keys). */
export async function listOwnKeys(keys: Keys, deps: StoreDeps, { ownerId, userId }: ApiCaller): Promise<JsonObject[]> {
  const all = await keysOf(deps.database, ownerId);
  return all.filter((key) => key.userId === userId).map(keys.view);
}

/**
 * Makes a key that does what its maker may do, at most; shown whole in this answer only.
 * @throws DomainError invalid_argument naming the attribute
 */
export function createOwnKey(keys: Keys, deps: StoreDeps, caller: ApiCaller, body: JsonObject): Promise<JsonObject> {
  const { ownerId, userId, username } = caller;
  checkVisible(caller, body);
  return changeAccountOf(deps, ownerId, username, async (change) => {
    const all = await keysOf(change.tx, ownerId);
    if (all.filter((key) => key.userId === userId).length >= MAX_OWN_KEYS)
      throw invalidAttribute('label', `a person may have at most ${MAX_OWN_KEYS} keys`);
    const keyId = newObjectId(change.nowMs);
    const once = await keys.create(change, keyId, body, all, caller);
    const made = (await keysOf(change.tx, ownerId)).find((key) => key.keyId === keyId);
    return { ...(made && keys.view(made)), ...once };
  });
}

/** A workspace that a workspace user does not see is to that user one that does not exist. */
function checkVisible(caller: ApiCaller, { workspaceIds }: JsonObject): void {
  const { visibleIds } = scopeOf(caller);
  if (!visibleIds || !Array.isArray(workspaceIds)) return;
  const hidden = workspaceIds.findIndex((id) => !visibleIds.includes(id));
  if (hidden >= 0)
    throw invalidAttribute(`workspaceIds[${hidden}]`, 'must be the id of a workspace that you have access to');
}

/** @throws DomainError not_found, also for keys of others */
export function deleteOwnKey(
  keys: Keys,
  deps: EntryDeps,
  { ownerId, userId, username }: ApiCaller,
  keyId: string,
): Promise<void> {
  return changeAccountOf(deps, ownerId, username, async (change) => {
    const all = await keysOf(change.tx, ownerId);
    const key = all.find((candidate) => candidate.keyId === normaliseObjectId(keyId) && candidate.userId === userId);
    if (!key) throw notFound();
    await keys.remove(change, key, all, deps);
  });
}
