import type { ApiCaller } from '@catchment/access';
import { newApiKey, sha256OfKey } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { formatIsoMs } from '@catchment/time';
import { type Collection, checkAccountLevel } from '../../changes/index.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { readEmail } from '../../domain/body/texts.ts';
import { lookUp } from '../../nodes/index.ts';
import { standingsOf, userWithAccess } from '../../rights/index.ts';
import { changeKey, type KeySettings, MAX_KEYS, workspaceRefs } from '../domain/api-key.ts';
import { keysOf, type StoredKey } from '../store/keys-query.ts';
import type { KeyStore } from './ports.ts';

/** API keys of accounts (docs/reference/authentication.md#api-keys). Services that cache keys are notified of changes. */
export const apiKeys = ({ insertKey, saveKey, deleteKey }: KeyStore): Collection<StoredKey> => ({
  isSecret: true,
  list: keysOf,
  idOf: ({ keyId }) => keyId,
  view: keyView,
  noun: 'API key',
  settingsOf: ({ label, permission, accessLevel, workspaceIds }) => [label, permission, accessLevel, workspaceIds],
  create: async ({ tx, owner, nowMs, logEvent }, keyId, body, all, caller) => {
    if (all.length >= MAX_KEYS) throw invalidAttribute('label', `an account may have at most ${MAX_KEYS} keys`);
    const settings = changeKey(undefined, body, await workspaceFinder(tx, owner.owner_id, body));
    const userId = await holderOf(tx, body.user, caller, nowMs);
    await checkLevel(tx, owner.owner_id, userId, settings);
    const key = newApiKey();
    const made = { keyId, ownerId: owner.owner_id, userId, createdMs: nowMs };
    await insertKey(tx, { ...settings, ...made, sha256: sha256OfKey(key), last4: key.slice(-4) });
    logEvent('SECURITY', `Created API key '${settings.label}'`);
    return { key };
  },
  update: async ({ tx, owner, logEvent, invalidateKey }, key, body) => {
    const settings = changeKey(key, body, await workspaceFinder(tx, owner.owner_id, body));
    const { label, permission, accessLevel, workspaceIds } = key;
    if (JSON.stringify(settings) === JSON.stringify({ label, permission, accessLevel, workspaceIds })) return;
    await checkLevel(tx, owner.owner_id, key.userId, settings);
    await saveKey(tx, owner.owner_id, key.keyId, settings);
    invalidateKey(key.sha256);
    logEvent('SECURITY', `Changed API key '${settings.label}'`);
  },
  remove: async ({ tx, owner, logEvent, invalidateKey }, key) => {
    await deleteKey(tx, owner.owner_id, key.keyId);
    invalidateKey(key.sha256);
    logEvent('SECURITY', `Deleted API key '${key.label}'`);
  },
});

/**
 * Finds the user of a new key: the caller, or another user with access to the account, for whom only owner and administrators make
 * keys.
 * @param user e-mail; undefined = the caller
 * @throws DomainError invalid_argument, permission_denied
 */
async function holderOf(tx: Queryable, user: unknown, caller: ApiCaller, nowMs: number): Promise<string> {
  if (user === undefined || user === null) return caller.userId;
  const email = readEmail(user, 'user');
  if (email === caller.username) return caller.userId;
  checkAccountLevel(caller);
  const userId = await userWithAccess(tx, caller.ownerId, email, nowMs);
  if (userId === undefined)
    throw invalidAttribute('user', 'must be the owner, an administrator or a user of a workspace of the account');
  return userId;
}

/**
 * Workspace users do not work on the account itself (docs/reference/authentication.md#access-levels).
 * @throws DomainError invalid_argument
 */
async function checkLevel(tx: Queryable, ownerId: string, userId: string, { accessLevel }: KeySettings): Promise<void> {
  if (accessLevel === 'ACCOUNT' && !(await standingsOf(tx, ownerId, [userId])).has(userId))
    throw invalidAttribute('accessLevel', 'must be WORKSPACES or LIMITED_WORKSPACES for a workspace user');
}

function keyView(key: StoredKey): JsonObject {
  const { keyId, label, last4, permission, accessLevel, workspaceIds, userId, username, createdMs, lastUsedMs } = key;
  return {
    _id: keyId,
    label,
    last4,
    permission,
    accessLevel,
    ...(accessLevel === 'LIMITED_WORKSPACES' && { workspaceIds }),
    userId,
    user: username,
    createdTime: formatIsoMs(createdMs),
    ...(lastUsedMs !== null && { lastUsedTime: formatIsoMs(lastUsedMs) }),
  };
}

async function workspaceFinder(tx: Queryable, ownerId: string, body: JsonObject) {
  const found = new Map<string, string>();
  for (const ref of new Set(workspaceRefs(body))) {
    const node = await lookUp(tx, ownerId, ref);
    if (node?.class === 'Workspace') found.set(ref, node.nodeId);
  }
  return (ref: string): string | undefined => found.get(ref);
}
