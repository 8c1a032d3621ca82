import { type ApiCaller, checkPermission } from '@catchment/access';
import { nameKey } from '../../domain/body/names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { type ChangeAtNode, changeAtNode } from '../../nodes/index.ts';
import { changePreferences } from '../../notifications/index.ts';
import { type AccessNews, type NamedPeople, namePeople, type PeopleDeps, queueMail } from '../../people/index.ts';
import { dropLostAccess, groupOf, groupsAt, peopleOf, standingsOf } from '../../rights/index.ts';
import { type AccessRequest, type GivenGroup, type GivenUser, readAccessBody } from '../domain/access-body.ts';
import { checkEntryCounts, entryText, type Grant, grantMessage, grantOf, roleOf } from '../domain/grant.ts';
import type { Role } from '../domain/role.ts';
import { grantedGroupView, grantedUserView } from '../domain/security-view.ts';
import { countEntries } from '../store/entries-query.ts';
import { rolesOf } from '../store/roles-query.ts';
import { closeToSome } from './close-node.ts';
import type { AccessChange, EntryStore, NewEntry } from './ports.ts';

/** Public JSON of the answer. */
export type Granted = { readonly added: JsonObject[]; readonly updated: JsonObject[] };

/**
 * `POST /nodes/:id/security/subscribe` (docs/reference/people-and-security.md#granting-and-revoking-access): gives users and
 * groups roles in a Workspace, or closes another node to some of them. All or nothing.
 * @throws DomainError invalid_argument naming the attribute, not_found, permission_denied
 */
export async function grantAccess(
  entries: EntryStore,
  deps: PeopleDeps,
  caller: ApiCaller,
  { nodeRef, body, notify }: AccessRequest,
): Promise<Granted> {
  const given = readAccessBody(body, deps.now());
  return changeAtNode(deps, caller, nodeRef, async (atNode) => {
    const change = { ...atNode, entries };
    checkPermission(caller, change.node.workspaceId, 'SECURITY');
    const news: AccessNews[] = [];
    const isWorkspace = change.node.class === 'Workspace';
    const profiles = isWorkspace ? given.users.map(({ profile }) => profile) : [];
    const audience = { workspaceId: caller.accessLevel === 'ACCOUNT' ? null : change.node.workspaceId };
    const people = await namePeople(change, deps.links, profiles, audience);
    const granted = isWorkspace
      ? await grantRoles(change, people, given, news)
      : await closeToSome(change, given, news);
    // A smaller role may bring No Access into force that CONFIGURE has outdone so far.
    await dropLostAccess(change.tx, [change.owner.owner_id], change.cause);
    await queueMail(change, deps.links, news, { notify, people });
    return granted;
  });
}

type Granting = {
  readonly change: AccessChange;
  readonly roles: ReadonlyMap<string, Role>;
  readonly granted: Granted;
  readonly news: AccessNews[];
};

async function grantRoles(
  change: AccessChange,
  people: NamedPeople,
  given: { users: readonly GivenUser[]; groups: readonly GivenGroup[] },
  news: AccessNews[],
): Promise<Granted> {
  const { tx, place } = change;
  const roles = new Map((await rolesOf(tx, place.ownerId)).map((role) => [nameKey(role.name), role]));
  const granted: Granted = { added: [], updated: [] };
  const granting = { change, roles, granted, news };
  const userIds = await grantToUsers(granting, people, given.users);
  const groupIds = await grantToGroups(granting, given.groups);
  checkEntryCounts(await countEntries(tx, place.workspaceId, userIds, groupIds));
  return granted;
}

async function grantToUsers(
  { change, roles, granted, news }: Granting,
  { userIds, newUserIds, activateUrls }: NamedPeople,
  users: readonly GivenUser[],
): Promise<string[]> {
  const { tx, place, node } = change;
  const wanted = users.map((user) => ({ user, email: user.profile.email, role: roleOf(roles, user) }));
  const untouchable = await standingsOf(tx, place.ownerId, [...userIds.values()]);
  const before = new Map((await peopleOf(tx, place)).map((person) => [person.email, person.own]));
  const entries: NewEntry[] = [];
  for (const { user, email, role } of wanted) {
    const id = userIds.get(email) ?? '';
    if (untouchable.has(id)) continue;
    const grant = grantOf(role, user, before.get(email) ?? null);
    const { entry, did } = grant;
    entries.push({ id, roleId: grant.roleId, expiresMs: entry.expiresMs });
    granted[did === 'granted' ? 'added' : 'updated'].push(grantedUserView(email, entry, activateUrls.get(id)));
    logGrant(change, grant, email);
    news.push({ userId: id, change: did, what: `${entryText(entry)} in the workspace '${node.name}'` });
    if (newUserIds.has(id) && user.preferences.length > 0) {
      const preferences = changePreferences(change.owner.categories, [], user.preferences);
      await change.entries.savePreferences(tx, place, id, preferences);
    }
  }
  await change.entries.saveEntries(tx, place, 'user_id', entries);
  return entries.map(({ id }) => id);
}

async function grantToGroups(
  { change, roles, granted, news }: Granting,
  groups: readonly GivenGroup[],
): Promise<string[]> {
  const { tx, place, node } = change;
  const known = new Map((await groupsAt(tx, place)).map((group) => [nameKey(group.name), group]));
  const entries: NewEntry[] = [];
  for (const given of groups) {
    const group = groupOf(known, given);
    const grant = grantOf(roleOf(roles, given), given, group.entry);
    const { entry, did } = grant;
    entries.push({ id: group.groupId, roleId: grant.roleId, expiresMs: entry.expiresMs });
    granted[did === 'granted' ? 'added' : 'updated'].push(grantedGroupView(group, entry));
    logGrant(change, grant, `group '${group.name}'`);
    const what = `${entryText(entry)} in the workspace '${node.name}' by the group '${group.name}'`;
    for (const { userId } of group.users) news.push({ userId, change: did, what });
  }
  await change.entries.saveEntries(tx, place, 'group_id', entries);
  return entries.map(({ id }) => id);
}

function logGrant({ logAtNode }: ChangeAtNode, grant: Grant, whom: string): void {
  const message = grantMessage(grant, whom);
  if (message !== undefined) logAtNode('SECURITY', message);
}
