import { type ApiCaller, checkModify, checkRevision, type RevisionMatch } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { newObjectId, normaliseObjectId } from '@catchment/ids';
import { type AccountChange, changeAccount, checkAccountLevel } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { ACCOUNT_AUDIENCE, namePeople, queueMail } from '../../people/index.ts';
import { dropLostAccess } from '../../rights/index.ts';
import type { UserGroup } from '../domain/account-people.ts';
import { groupRevision, groupView } from '../domain/owner-view.ts';
import { checkRename, planNewGroups, readGroup, readGroups } from '../domain/user-group.ts';
import { groupsOf } from '../store/account-people-query.ts';
import type { AccountsDeps } from './deps.ts';
import { groupNews } from './group-news.ts';
import type { AccountPeople } from './ports.ts';

/** A change of a group sends mails to whom it concerns, and is made only to the group as it was then. */
type GroupChange = { readonly notify: boolean; readonly ifMatch: RevisionMatch | undefined };

/** Adds groups. @param body array of `{name, users}` @returns all groups of the account @throws DomainError invalid_argument */
export async function createGroups(
  { saveGroups }: AccountPeople,
  deps: AccountsDeps,
  caller: ApiCaller,
  body: unknown,
  notify: boolean,
): Promise<JsonObject[]> {
  checkModify(caller);
  checkAccountLevel(caller);
  const given = readGroups(body, 'body');
  return changeAccount(deps, caller, async (change) => {
    const { tx, owner, nowMs } = change;
    const before = await groupsOf(tx, owner.owner_id);
    const planned = planNewGroups(before, given, () => newObjectId(nowMs));
    const users = given.flatMap((group) => group.users ?? []);
    const people = await namePeople(change, deps.links, users, ACCOUNT_AUDIENCE);
    await saveGroups(tx, owner.owner_id, planned, people.userIds, before.length);
    if (planned.length > 0) change.logEvent('SECURITY', `Created groups ${quoted(planned)}`);
    const after = await groupsOf(tx, owner.owner_id);
    const named = new Set(planned.map(({ groupId }) => groupId));
    await queueMail(change, deps.links, groupNews(before, after, named), { notify, people });
    return after.map((group) => groupView(group, people.activateUrls));
  });
}

/** @throws DomainError not_found, changed, invalid_argument */
export async function updateGroup(
  { saveGroups }: AccountPeople,
  deps: AccountsDeps,
  caller: ApiCaller,
  groupId: string,
  { body, notify, ifMatch }: GroupChange & { readonly body: JsonObject },
): Promise<JsonObject> {
  return changeAccount(deps, caller, async (change) => {
    const { tx, owner } = change;
    const { groups, index, group } = await findGroup(change, groupId);
    checkRevision('group', groupRevision(group), ifMatch);
    const { name, users } = readGroup({ ...body, _id: undefined }, '');
    if (name !== undefined) checkRename(groups, group.groupId, name);
    const planned = { groupId: group.groupId, name: name ?? group.name, isNew: false, users };
    const people = await namePeople(change, deps.links, users ?? [], ACCOUNT_AUDIENCE);
    await saveGroups(tx, owner.owner_id, [planned], people.userIds, index);
    const after = (await findGroup(change, groupId)).group;
    if (JSON.stringify(after) !== JSON.stringify(group)) {
      change.logEvent('SECURITY', `Changed group ${quoted([after])}`);
      await dropLostAccess(change.tx, [change.owner.owner_id], change.cause);
    }
    const named = new Set(users === undefined ? [] : [group.groupId]);
    await queueMail(change, deps.links, groupNews([group], [after], named), { notify, people });
    return groupView(after, people.activateUrls);
  });
}

/** @throws DomainError not_found, changed */
export async function deleteGroup(
  { deleteGroups }: AccountPeople,
  deps: AccountsDeps,
  caller: ApiCaller,
  groupId: string,
  { notify, ifMatch }: GroupChange,
): Promise<void> {
  await changeAccount(deps, caller, async (change) => {
    const { group } = await findGroup(change, groupId);
    checkRevision('group', groupRevision(group), ifMatch);
    await deleteGroups(change.tx, change.owner.owner_id, [group.groupId]);
    change.logEvent('SECURITY', `Deleted group ${quoted([group])}`);
    await dropLostAccess(change.tx, [change.owner.owner_id], change.cause);
    await queueMail(change, deps.links, groupNews([group], [], new Set()), { notify });
  });
}

async function findGroup({ tx, owner }: AccountChange, groupId: string) {
  const groups = await groupsOf(tx, owner.owner_id);
  const index = groups.findIndex((group) => group.groupId === normaliseObjectId(groupId));
  const group = groups[index];
  if (!group) throw notFound();
  return { groups, index, group };
}

const quoted = (groups: readonly Pick<UserGroup, 'name'>[]): string => groups.map(({ name }) => `'${name}'`).join(', ');
