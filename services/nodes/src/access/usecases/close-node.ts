import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { type ChangeAtNode, nodesById } from '../../nodes/index.ts';
import type { AccessNews } from '../../people/index.ts';
import { accessOf, type Entry, groupsAt, NO_ACCESS, peopleOf, type WorkspacePerson } from '../../rights/index.ts';
import type { GivenGroup, GivenUser } from '../domain/access-body.ts';
import { grantedGroupView, grantedUserView } from '../domain/security-view.ts';
import type { AccessChange } from './ports.ts';

const CLOSED: Entry = { role: NO_ACCESS, permissions: [], expiresMs: null };

/**
 * Closes a node other than a Workspace, with all below it, to users and groups of its Workspace
 * (docs/reference/people-and-security.md#granting-and-revoking-access).
 * @throws DomainError invalid_argument for another role, for a user without access, or one who always has access
 */
export async function closeToSome(
  change: AccessChange,
  given: { users: readonly GivenUser[]; groups: readonly GivenGroup[] },
  news: AccessNews[],
): Promise<{ added: JsonObject[]; updated: JsonObject[] }> {
  const { tx, place, node, entries, logAtNode } = change;
  const people = new Map((await peopleOf(tx, place)).map((person) => [person.email, person]));
  const known = new Map((await groupsAt(tx, place)).map((group) => [nameKey(group.name), group]));
  const what = await placeText(change);
  const granted: { added: JsonObject[]; updated: JsonObject[] } = { added: [], updated: [] };
  const userIds = given.users.map((user) => {
    checkNoAccess(user);
    const person = closable(people.get(user.profile.email), user.at);
    granted[person.isClosed ? 'updated' : 'added'].push(grantedUserView(person.email, CLOSED, undefined));
    if (!person.isClosed) {
      logAtNode('SECURITY', `Granted ${person.email} role '${NO_ACCESS}'`);
      news.push({ userId: person.userId, change: 'revoked', what });
    }
    return person.userId;
  });
  const groupIds = given.groups.map((entry) => {
    checkNoAccess(entry);
    const group = known.get(nameKey(entry.group));
    if (!group?.entry) throw invalidAttribute(`${entry.at}.group`, 'must be a group of the Workspace');
    if (group.entry.permissions.includes('CONFIGURE'))
      throw invalidAttribute(`${entry.at}.group`, 'must not have CONFIGURE: such groups are never cut off');
    granted[group.isClosed ? 'updated' : 'added'].push(grantedGroupView(group, CLOSED));
    if (!group.isClosed) {
      logAtNode('SECURITY', `Granted group '${group.name}' role '${NO_ACCESS}'`);
      for (const { userId } of group.users) news.push({ userId, change: 'revoked', what });
    }
    return group.groupId;
  });
  await entries.closeNode(tx, place.ownerId, node.nodeId, 'user_id', userIds);
  await entries.closeNode(tx, place.ownerId, node.nodeId, 'group_id', groupIds);
  return granted;
}

/** Names the node in mails. */
export async function placeText({ tx, place, node }: ChangeAtNode): Promise<string> {
  const [workspace] = await nodesById(tx, place.ownerId, [place.workspaceId]);
  return `access to '${node.name}' in the workspace '${workspace?.name ?? ''}'`;
}

function checkNoAccess({ at, role, expiresMs }: GivenUser | GivenGroup): void {
  if (nameKey(role) !== nameKey(NO_ACCESS))
    throw invalidAttribute(`${at}.role`, `must be '${NO_ACCESS}' on a node other than a Workspace`);
  if (typeof expiresMs === 'number')
    throw invalidAttribute(`${at}.expiryTime`, 'is for access to a Workspace, not for No Access');
}

function closable(person: WorkspacePerson | undefined, at: string): WorkspacePerson {
  if (!person) throw invalidAttribute(`${at}.user`, 'must be a user of the Workspace');
  if (person.standing)
    throw invalidAttribute(`${at}.user`, 'must not be the owner or an administrator: they are never cut off');
  if (accessOf({ ...person, isClosed: false }).effective.includes('CONFIGURE'))
    throw invalidAttribute(`${at}.user`, 'must not have CONFIGURE: such users are never cut off');
  return person;
}
