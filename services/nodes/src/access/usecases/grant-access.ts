import { type ApiCaller, checkPermission } from '@catchment/access';
import { DomainError } from '@catchment/errors';
import { formatIsoMs } from '@catchment/time';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { type ChangeAtNode, changeAtNode } from '../../nodes/index.ts';
import { changePreferences } from '../../notifications/index.ts';
import { type AccessNews, type NamedPeople, namePeople, type PeopleDeps, queueMail } from '../../people/index.ts';
import {
  dropLostAccess,
  type Entry,
  groupOf,
  groupsAt,
  MAX_WORKSPACES_PER_ENTRY,
  peopleOf,
  standingsOf,
} from '../../rights/index.ts';
import {
  type AccessRequest,
  type GivenGroup,
  type GivenUser,
  MAX_ENTRIES_PER_WORKSPACE,
  readAccessBody,
} from '../domain/access-body.ts';
import { isReservedRole, type Role } from '../domain/role.ts';
import { grantedGroupView, grantedUserView } from '../domain/security-view.ts';
import { countEntries } from '../store/entries-query.ts';
import { rolesOf } from '../store/roles-query.ts';
import { closeToSome } from './close-node.ts';
import type { AccessChange, EntryStore, NewEntry } from './ports.ts';

/** Users and groups after a request: public JSON. */
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
  const { inWorkspace, ofOne } = await countEntries(tx, place.workspaceId, userIds, groupIds);
  if (inWorkspace > MAX_ENTRIES_PER_WORKSPACE)
    throw invalidAttribute('users', `a Workspace may have at most ${MAX_ENTRIES_PER_WORKSPACE} users and groups`);
  if (ofOne > MAX_WORKSPACES_PER_ENTRY)
    throw invalidAttribute('users', `a user or group may be in at most ${MAX_WORKSPACES_PER_ENTRY} workspaces`);
  return granted;
}

async function grantToUsers(
  { change, roles, granted, news }: Granting,
  { userIds, newUserIds, activateUrls }: NamedPeople,
  users: readonly GivenUser[],
): Promise<string[]> {
  const { tx, place, node } = change;
  const wanted = users.map((user) => ({ ...user, email: user.profile.email, given: roleOf(roles, user) }));
  const untouchable = await standingsOf(tx, place.ownerId, [...userIds.values()]);
  const before = new Map((await peopleOf(tx, place)).map((person) => [person.email, person.own]));
  const entries: NewEntry[] = [];
  for (const { at, was, email, given, expiresMs, preferences } of wanted) {
    const id = userIds.get(email) ?? '';
    if (untouchable.has(id)) continue;
    const entry = before.get(email) ?? null;
    checkWas(at, was, entry);
    const after = entryOf(given, expiresMs, entry);
    const profileActivateUrl = activateUrls.get(id);
    const did = entry ? (isSame(entry, after) ? 'kept' : 'changed') : 'granted';
    entries.push({ id, roleId: given.roleId, expiresMs: after.expiresMs });
    granted[entry ? 'updated' : 'added'].push(grantedUserView(email, after, profileActivateUrl));
    logGrant(change, did, email, after);
    news.push({ userId: id, change: did, what: `${textOf(after)} in the workspace '${node.name}'` });
    if (newUserIds.has(id) && preferences.length > 0)
      await change.entries.savePreferences(tx, place, id, changePreferences(change.owner.categories, [], preferences));
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
  for (const entry of groups) {
    const group = groupOf(known, entry);
    const given = roleOf(roles, entry);
    checkWas(entry.at, entry.was, group.entry);
    const after = entryOf(given, entry.expiresMs, group.entry);
    const did = group.entry ? (isSame(group.entry, after) ? 'kept' : 'changed') : 'granted';
    entries.push({ id: group.groupId, roleId: given.roleId, expiresMs: after.expiresMs });
    granted[group.entry ? 'updated' : 'added'].push(grantedGroupView(group, after));
    logGrant(change, did, `group '${group.name}'`, after);
    const what = `${textOf(after)} in the workspace '${node.name}' by the group '${group.name}'`;
    for (const { userId } of group.users) news.push({ userId, change: did, what });
  }
  await change.entries.saveEntries(tx, place, 'group_id', entries);
  return entries.map(({ id }) => id);
}

/** @throws DomainError invalid_argument */
function roleOf(roles: ReadonlyMap<string, Role>, { at, role }: { at: string; role: string }): Role {
  if (isReservedRole(role))
    throw invalidAttribute(
      `${at}.role`,
      'must not be a reserved name (OWNER, ADMINISTRATOR, No Access) on a Workspace',
    );
  const found = roles.get(nameKey(role));
  if (!found) throw invalidAttribute(`${at}.role`, 'must be the name of a role of the account');
  return found;
}

/** An end that is not given stays as it was. */
const entryOf = (role: Role, expiresMs: number | null | undefined, before: Entry | null): Entry => ({
  role: role.name,
  permissions: role.permissions,
  expiresMs: expiresMs === undefined ? (before?.expiresMs ?? null) : expiresMs,
});

const isSame = (a: Entry, b: Entry): boolean => a.role === b.role && a.expiresMs === b.expiresMs;

/** Two people may set the same at once: the second one has looked at another access. @throws DomainError changed */
function checkWas(at: string, was: GivenUser['was'], entry: Entry | null): void {
  if (was === undefined) return;
  const isAsGiven =
    was && entry ? nameKey(was.role) === nameKey(entry.role) && was.expiresMs === entry.expiresMs : was === entry;
  if (isAsGiven) return;
  const now = entry ? `it is ${textOf(entry)} now` : 'there is none now';
  throw new DomainError('changed', 'ACCESS_CHANGED', `${at}.was: the access has changed, ${now}`);
}

const textOf = ({ role, expiresMs }: Entry): string =>
  `role '${role}'${expiresMs === null ? '' : ` until ${formatIsoMs(expiresMs)}`}`;

function logGrant({ logAtNode }: ChangeAtNode, did: AccessNews['change'], whom: string, after: Entry): void {
  if (did === 'granted') logAtNode('SECURITY', `Granted ${whom} ${textOf(after)}`);
  if (did === 'changed') logAtNode('SECURITY', `Changed ${whom} to ${textOf(after)}`);
}
