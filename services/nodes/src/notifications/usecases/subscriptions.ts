import { type ApiCaller, checkPermission } from '@catchment/access';
import { invalid } from '@catchment/errors';
import type { StoreDeps } from '../../changes/index.ts';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { type ChangeAtNode, changeAtNode } from '../../nodes/index.ts';
import { type Named, readNamed } from '../../people/index.ts';
import { groupOf, groupsAt } from '../../rights/index.ts';
import { validUser, validUsers, viewersOf } from './notification-people.ts';
import type { NotificationStore } from './ports.ts';

/**
 * `POST /nodes/:id/notifications/subscribe` (docs/reference/notifications.md#subscriptions-and-preferences,
 * docs/reference/notifications.md#changing-subscriptions). A workspace user needs SUBSCRIBE_NOTIFICATIONS, and
 * MANAGE_NOTIFICATIONS for others than the user.
 * @throws DomainError invalid_argument naming the attribute, not_found, permission_denied
 */
export function subscribe(
  store: Pick<NotificationStore, 'insertSubscriptions' | 'resumeReports'>,
  deps: StoreDeps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
): Promise<void> {
  return changeSubscriptions(deps, caller, nodeRef, body, async ({ tx, place, node, logAtNode }, named) => {
    const viewers = new Set((await viewersOf(tx, place, node.nodeId)).map(({ userId }) => userId));
    for (const { at, userId } of named.users)
      if (!viewers.has(userId)) throw invalidAttribute(`${at}.user`, 'must be a user who may see the node');
    const insert = (column: 'user_id' | 'group_id', ids: readonly string[]) =>
      store.insertSubscriptions(tx, place.ownerId, node.nodeId, column, ids);
    await store.resumeReports(
      tx,
      node.nodeId,
      named.users.map(({ userId }) => userId),
    );
    for (const whom of await changed(named, insert)) logAtNode('CONFIGURATION', `Subscribed ${whom} to notifications`);
  });
}

/** `POST /nodes/:id/notifications/unsubscribe`: people and groups without a subscription of their own are passed over. */
export function unsubscribe(
  store: Pick<NotificationStore, 'deleteSubscriptions'>,
  deps: StoreDeps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
): Promise<void> {
  return changeSubscriptions(deps, caller, nodeRef, body, async ({ tx, node, logAtNode }, named) => {
    const remove = (column: 'user_id' | 'group_id', ids: readonly string[]) =>
      store.deleteSubscriptions(tx, node.nodeId, column, ids);
    for (const whom of await changed(named, remove))
      logAtNode('CONFIGURATION', `Unsubscribed ${whom} from notifications`);
  });
}

/** Users and groups of a request. */
type Found = {
  readonly users: readonly { readonly at: string; readonly userId: string; readonly email: string }[];
  readonly groups: readonly { readonly groupId: string; readonly name: string }[];
};

async function changeSubscriptions(
  deps: StoreDeps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
  work: (change: ChangeAtNode, named: Found) => Promise<void>,
): Promise<void> {
  const named = readNamed(body);
  await changeAtNode(deps, caller, nodeRef, async (change) => {
    const { node, tx, place } = change;
    const isOwn = named.groups.length === 0 && named.users.every(({ email }) => email === caller.username);
    checkPermission(caller, node.workspaceId, isOwn ? 'SUBSCRIBE_NOTIFICATIONS' : 'MANAGE_NOTIFICATIONS');
    checkSubscribable(node.class);
    const users = await validUsers(tx, place);
    await work(change, {
      users: named.users.map((user) => ({ at: user.at, ...validUser(users, user) })),
      groups: await foundGroups(change, named),
    });
  });
}

async function foundGroups({ tx, place }: ChangeAtNode, { groups }: Named): Promise<Found['groups']> {
  const known = new Map((await groupsAt(tx, place)).map((group) => [nameKey(group.name), group]));
  return groups.map((group) => groupOf(known, group));
}

/** Names of those whose subscription has just begun or ended. */
async function changed(
  { users, groups }: Found,
  change: (column: 'user_id' | 'group_id', ids: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  const emails = new Map(users.map(({ userId, email }) => [userId, email]));
  const names = new Map(groups.map(({ groupId, name }) => [groupId, `group '${name}'`]));
  const ofUsers = await change('user_id', [...emails.keys()]);
  const ofGroups = await change('group_id', [...names.keys()]);
  return [
    ...[...emails].flatMap(([id, email]) => (ofUsers.has(id) ? email : [])),
    ...[...names].flatMap(([id, name]) => (ofGroups.has(id) ? name : [])),
  ];
}

/** @throws DomainError invalid_argument */
function checkSubscribable(name: string): void {
  const cls = nodeClass(name);
  if (!isSource(cls) && !['location', 'parameter', 'report'].includes(cls.kind))
    throw invalid('NODE_KIND', 'id: the node must be a Location, a source, a parameter or a report');
}
