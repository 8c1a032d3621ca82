import { type ApiCaller, checkPermission } from '@catchment/access';
import { nameKey } from '../../domain/body/names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { type ChangeAtNode, changeAtNode } from '../../nodes/index.ts';
import { type AccessNews, type Named, type PeopleDeps, queueMail, readNamed } from '../../people/index.ts';
import {
  dropLostAccess,
  groupsAt,
  NO_ACCESS,
  peopleOf,
  type WorkspaceGroup,
  type WorkspacePerson,
} from '../../rights/index.ts';
import type { AccessRequest } from '../domain/access-body.ts';
import { placeText } from './close-node.ts';
import type { AccessChange, EntryStore } from './ports.ts';

type Removed = { readonly removed: JsonObject[] };

/**
 * `POST /nodes/:id/security/unsubscribe` (docs/reference/people-and-security.md#granting-and-revoking-access): takes users
 * and groups out of a Workspace, or lifts No Access from another node. People and groups that are not listed there are passed over.
 * @throws DomainError invalid_argument naming the attribute, not_found, permission_denied
 */
export async function revokeAccess(
  entries: EntryStore,
  deps: PeopleDeps,
  caller: ApiCaller,
  { nodeRef, body, notify }: AccessRequest,
): Promise<Removed> {
  const named = readNamed(body);
  return changeAtNode(deps, caller, nodeRef, async (atNode) => {
    const change = { ...atNode, entries };
    checkPermission(caller, change.node.workspaceId, 'SECURITY');
    const news: AccessNews[] = [];
    const removed =
      change.node.class === 'Workspace' ? await revoke(change, named, news) : await lift(change, named, news);
    if (removed.length > 0) await dropLostAccess(change.tx, [change.owner.owner_id], change.cause);
    await queueMail(change, deps.links, news, { notify });
    return { removed };
  });
}

async function revoke(change: AccessChange, named: Named, news: AccessNews[]): Promise<JsonObject[]> {
  const { tx, place, node, logAtNode } = change;
  const { users, groups } = await listed(change, named);
  // An entry that a person had before becoming an administrator goes with the role, not by this.
  const people = users.filter(({ own, standing }) => own !== null && standing === null);
  const entered = groups.filter(({ entry }) => entry !== null);
  const what = (role = '') => `role '${role}' in the workspace '${node.name}'`;
  for (const { email, userId, own } of people) {
    logAtNode('SECURITY', `Revoked access of ${email}`);
    news.push({ userId, change: 'revoked', what: what(own?.role) });
  }
  for (const { name, users: members, entry } of entered) {
    logAtNode('SECURITY', `Revoked access of group '${name}'`);
    for (const { userId } of members)
      news.push({ userId, change: 'revoked', what: `${what(entry?.role)} by the group '${name}'` });
  }
  await change.entries.deleteEntries(tx, place.workspaceId, idsOf(people), groupIdsOf(entered));
  return shown(people, entered);
}

async function lift(change: AccessChange, named: Named, news: AccessNews[]): Promise<JsonObject[]> {
  const { tx, node, logAtNode } = change;
  const { users, groups } = await listed(change, named);
  const people = users.filter(({ isClosed }) => isClosed);
  const closed = groups.filter(({ isClosed }) => isClosed);
  const what = await placeText(change);
  for (const { email, userId } of people) {
    logAtNode('SECURITY', `Revoked role '${NO_ACCESS}' of ${email}`);
    news.push({ userId, change: 'granted', what });
  }
  for (const { name, users: members } of closed) {
    logAtNode('SECURITY', `Revoked role '${NO_ACCESS}' of group '${name}'`);
    for (const { userId } of members) news.push({ userId, change: 'granted', what });
  }
  await change.entries.openNode(tx, node.nodeId, idsOf(people), groupIdsOf(closed));
  return shown(people, closed);
}

/** Returns the people of the request that the workspace knows, each once, in the order of the request. */
async function listed({ tx, place }: ChangeAtNode, named: Named) {
  const people = new Map((await peopleOf(tx, place)).map((person) => [person.email, person]));
  const known = new Map((await groupsAt(tx, place)).map((group) => [nameKey(group.name), group]));
  return {
    users: [...new Set(named.users.map(({ email }) => people.get(email)))].filter((person) => person !== undefined),
    groups: [...new Set(named.groups.map(({ group }) => known.get(nameKey(group))))].filter(
      (group) => group !== undefined,
    ),
  };
}

const idsOf = (people: readonly WorkspacePerson[]): string[] => people.map(({ userId }) => userId);
const groupIdsOf = (groups: readonly WorkspaceGroup[]): string[] => groups.map(({ groupId }) => groupId);
const shown = (people: readonly WorkspacePerson[], groups: readonly WorkspaceGroup[]): JsonObject[] => [
  ...people.map(({ email }) => ({ user: email })),
  ...groups.map(({ name }) => ({ group: name })),
];
