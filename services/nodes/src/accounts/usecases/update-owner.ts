import { type ApiCaller, checkRevision, type RevisionMatch } from '@catchment/access';
import { newObjectId } from '@catchment/ids';
import { type AccountChange, changeAccount, withManaged } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { readText } from '../../domain/body/texts.ts';
import {
  ACCOUNT_AUDIENCE,
  type AccessNews,
  namePeople,
  queueMail,
  readUserEntries,
  type UserEntry,
} from '../../people/index.ts';
import { dropLostAccess } from '../../rights/index.ts';
import { ACCOUNT } from '../domain/account.ts';
import { ownerRevision } from '../domain/owner-view.ts';
import { type GivenGroup, planGroups, readGroups } from '../domain/user-group.ts';
import { administratorsOf, groupsOf, implicitAdministrators } from '../store/account-people-query.ts';
import type { AccountsDeps } from './deps.ts';
import { groupNews } from './group-news.ts';
import type { AccountBook, AccountParts, AccountPeople } from './ports.ts';
import { ownerDocument } from './read-owner.ts';

/**
 * `PUT /owners/account` (docs/reference/people-and-security.md#changing-the-account): whatever the body gives, all of it or nothing;
 * other attributes are ignored.
 * @param notify whether people get a mail about access that they got or lost
 * @throws DomainError changed, invalid_argument naming the attribute
 */
export async function updateOwner(
  store: AccountBook & AccountPeople & AccountParts,
  deps: AccountsDeps,
  caller: ApiCaller,
  body: JsonObject,
  { notify, ifMatch }: { readonly notify: boolean; readonly ifMatch: RevisionMatch | undefined },
): Promise<JsonObject> {
  return changeAccount(deps, caller, async (change) => {
    if (ifMatch) await checkUnchanged(change, ifMatch);
    const given = readBody(body);
    const changed: string[] = [];
    if (given.accountName !== undefined && given.accountName !== change.owner.account_name) {
      await store.saveOwner(change.tx, caller.ownerId, { account_name: given.accountName });
      changed.push('accountName');
    }
    const named = [...(given.administrators ?? []), ...usersOf(given.groups ?? [])];
    const people = await namePeople(change, deps.links, named, ACCOUNT_AUDIENCE);
    const { userIds, activateUrls } = people;
    const news: AccessNews[] = [];
    if (given.administrators && (await replaceAdministrators(store, change, given.administrators, userIds, news)))
      changed.push('administrators');
    if (given.groups && (await replaceGroups(store, change, given.groups, userIds, news))) changed.push('groups');
    if (changed.length > 0) change.logEvent('SECURITY', `Updated ${changed.join(', ')}`);
    // Administrators are managers of the accounts that this one manages.
    if (changed.some((name) => name !== 'accountName'))
      await dropLostAccess(change.tx, await withManaged(change.tx, caller.ownerId), change.cause);
    await queueMail(change, deps.links, news, { notify, people });
    return ownerDocument(change.tx, deps, caller, activateUrls);
  });
}

async function checkUnchanged({ tx, owner }: AccountChange, ifMatch: RevisionMatch): Promise<void> {
  const administrators = await administratorsOf(tx, owner.owner_id);
  const groups = await groupsOf(tx, owner.owner_id);
  checkRevision('account', ownerRevision(owner, { administrators, groups }), ifMatch);
}

function readBody(body: JsonObject) {
  const given = (name: string): boolean => Object.hasOwn(body, name) && body[name] !== undefined;
  return {
    accountName: given('accountName') ? readText(ACCOUNT.accountName.rule, body.accountName, 'accountName') : undefined,
    administrators: given('administrators') ? readUserEntries(body.administrators, 'administrators') : undefined,
    groups: given('groups') ? readGroups(body.groups, 'groups') : undefined,
  };
}

const usersOf = (groups: readonly GivenGroup[]): UserEntry[] => groups.flatMap(({ users = [] }) => users);

/** @returns whether any member changed; `news` gets the changes that mails report */
async function replaceAdministrators(
  { setAdministrators, deleteOrphanedKeys }: AccountPeople & AccountParts,
  change: AccountChange,
  entries: readonly UserEntry[],
  userIds: ReadonlyMap<string, string>,
  news: AccessNews[],
): Promise<boolean> {
  const { tx, owner } = change;
  const implicit = await implicitAdministrators(tx, owner.owner_id);
  const before = (await administratorsOf(tx, owner.owner_id)).map(({ userId }) => userId);
  const after = entries.map(({ email }) => userIds.get(email) ?? '').filter((userId) => !implicit.has(userId));
  const gone = before.filter((userId) => !after.includes(userId));
  const what = 'administrator access';
  for (const userId of after) news.push({ userId, change: before.includes(userId) ? 'kept' : 'granted', what });
  for (const userId of gone) news.push({ userId, change: 'revoked', what });
  if (before.length === after.length && before.every((userId, i) => userId === after[i])) return false;
  await setAdministrators(tx, owner.owner_id, after);
  for (const { sha256 } of await deleteOrphanedKeys(tx, owner.owner_id, gone)) change.invalidateKey(sha256);
  return true;
}

/** @returns whether any group is another now */
async function replaceGroups(
  { deleteGroups, saveGroups }: AccountPeople,
  { tx, owner, nowMs }: AccountChange,
  given: readonly GivenGroup[],
  userIds: ReadonlyMap<string, string>,
  news: AccessNews[],
): Promise<boolean> {
  const before = await groupsOf(tx, owner.owner_id);
  const planned = planGroups(before, given, () => newObjectId(nowMs));
  const kept = new Set(planned.map(({ groupId }) => groupId));
  const gone = before.filter(({ groupId }) => !kept.has(groupId)).map(({ groupId }) => groupId);
  await deleteGroups(tx, owner.owner_id, gone);
  await saveGroups(tx, owner.owner_id, planned, userIds, 0);
  const after = await groupsOf(tx, owner.owner_id);
  const named = new Set(planned.filter(({ users }) => users !== undefined).map(({ groupId }) => groupId));
  news.push(...groupNews(before, after, named));
  return JSON.stringify(after) !== JSON.stringify(before);
}
