import { type ApiCaller, checkPermission } from '@catchment/access';
import type { StoreDeps } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { changeAtNode } from '../../nodes/index.ts';
import { entriesOf, readUser } from '../../people/index.ts';
import { changePreferences, readPreferences } from '../domain/notification-preference.ts';
import { preferencesIn } from '../store/preferences-query.ts';
import { preferencesView } from './get-notifications.ts';
import { validUser, validUsers } from './notification-people.ts';
import type { NotificationStore } from './ports.ts';

/**
 * `POST /nodes/:id/notifications` (docs/reference/notifications.md#changing-subscriptions) sets how people are notified of the alarms of
 * the node's workspace. A workspace user needs MANAGE_NOTIFICATIONS for the preferences of others.
 * @throws DomainError invalid_argument naming the attribute, not_found, permission_denied
 */
export async function setPreferences(
  store: Pick<NotificationStore, 'savePreferences'>,
  deps: StoreDeps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
): Promise<JsonObject> {
  const given = entriesOf(body, 'users').map(({ value, at }) => ({
    at,
    email: readUser(value, at),
    preferences: readPreferences(value.notificationCategories, `${at}.notificationCategories`),
  }));
  return changeAtNode(deps, caller, nodeRef, async ({ tx, owner, node, place, logAtNode }) => {
    for (const { email } of given)
      checkPermission(caller, node.workspaceId, email === caller.username ? 'VIEW' : 'MANAGE_NOTIFICATIONS');
    checkPermission(caller, node.workspaceId, 'VIEW');
    const users = await validUsers(tx, place);
    const stored = await preferencesIn(tx, place.workspaceId);
    const shown: JsonObject[] = [];
    for (const entry of given) {
      const { userId, email } = validUser(users, entry);
      const before = changePreferences(owner.categories, stored.get(userId) ?? [], []);
      const after = changePreferences(owner.categories, before, entry.preferences);
      stored.set(userId, after);
      shown.push({ user: email, notificationCategories: preferencesView(owner.categories, after) });
      if (JSON.stringify(before) === JSON.stringify(after)) continue;
      await store.savePreferences(tx, place, userId, after);
      logAtNode('CONFIGURATION', `Changed notification preferences of ${email}`);
    }
    return { users: shown };
  });
}
