import { type ApiCaller, checkPermission, scopeOf } from '@catchment/access';
import { argumentReader, SUBSCRIBERS } from '@catchment/query';
import { type Category, readOwner, type StoreDeps } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { findNode } from '../../nodes/index.ts';
import { contactView, groupsAt, type Person, peopleOf } from '../../rights/index.ts';
import { type Preference, preferencesOf } from '../domain/notification-preference.ts';
import { preferencesIn } from '../store/preferences-query.ts';
import { subscribersOf } from '../store/subscribers-query.ts';
import { viewersOf } from './notification-people.ts';

/**
 * `GET /nodes/:id/notifications` (docs/reference/notifications.md#reading-subscribers) lists subscribers of the node, of its
 * branch, or everyone who may see it.
 * @throws DomainError invalid_argument, not_found, permission_denied
 */
export async function getNotifications(
  deps: StoreDeps,
  caller: ApiCaller,
  nodeRef: string,
  subscribeType: string,
): Promise<JsonObject> {
  const type = argumentReader(SUBSCRIBERS, { subscribeType })('subscribeType');
  const { database } = deps;
  const scope = scopeOf(caller);
  const { nodeId, workspaceId } = await findNode(database, scope, nodeRef);
  checkPermission(caller, workspaceId, 'VIEW');
  const { categories } = await readOwner(database, caller.ownerId);
  const preferences = await preferencesIn(database, workspaceId);
  const place = { ownerId: caller.ownerId, workspaceId, nowMs: deps.now(), nodeIds: [nodeId] };
  const shown = (person: Person): JsonObject => ({
    ...contactView(person),
    notificationCategories: preferencesView(categories, preferences.get(person.userId) ?? []),
  });
  const groups = await groupsAt(database, place);
  if (type === 'ALL')
    return {
      users: (await viewersOf(database, place, nodeId)).map(shown),
      groups: groups
        .filter(({ entry, isClosed }) => entry && (!isClosed || entry.permissions.includes('CONFIGURE')))
        .map(({ name, users }) => ({ group: name, users: users.map(shown) })),
    };
  const { userIds, groupIds } = await subscribersOf(database, scope, nodeId, type === 'NODE' ? 'node' : 'branch');
  const people = await peopleOf(database, place);
  return {
    users: people.filter(({ userId }) => userIds.has(userId)).map(shown),
    groups: groups
      .filter(({ groupId }) => groupIds.has(groupId))
      .map(({ name, users }) => ({ group: name, users: users.map(shown) })),
  };
}

/** Shows all categories of the account with a person's preferences, in the order of their indexes. */
export const preferencesView = (categories: readonly Category[], stored: readonly Preference[]): JsonObject[] =>
  preferencesOf(categories, stored).map(({ email, sms }, i) => ({ category: categories[i]?.name ?? '', email, sms }));
