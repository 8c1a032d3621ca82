import { type ApiCaller, permissionsIn, scopeOf } from '@catchment/access';
import { readOwner, type StoreDeps } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { notifyingWorkspaces, ownSubscriptions } from '../store/own-notifications-query.ts';
import { enabledCategories } from '../store/preferences-query.ts';
import { preferencesView } from './get-notifications.ts';

export type OwnDeps = StoreDeps & { readonly names: ClassNames };

/** Lists the categories of which the caller's person gets notifications in a Workspace. */
export const listEnabledCategories = (
  { database }: Pick<StoreDeps, 'database'>,
  { ownerId, userId }: ApiCaller,
  workspaceId: string,
): Promise<string[]> => enabledCategories(database, { ownerId, workspaceId }, userId);

/** Nodes of one answer. */
const MAX_NODES = 1_000;

/**
 * `GET /users/me/notifications` (docs/reference/notifications.md#own-notifications) lists the nodes of the account that
 * notify the caller's person, and by which channels.
 */
export async function getOwnNotifications(deps: OwnDeps, caller: ApiCaller): Promise<JsonObject> {
  const { database, names } = deps;
  const { userId, ownerId } = caller;
  const scope = scopeOf(caller);
  const { categories } = await readOwner(database, ownerId);
  const workspaces = await notifyingWorkspaces(database, scope, userId);
  const found = await ownSubscriptions(database, scope, userId, MAX_NODES + 1);
  const nodes = found.slice(0, MAX_NODES);
  return {
    workspaces: workspaces.map(({ workspaceId, name, preferences }) => ({
      _id: workspaceId,
      name,
      permissions: permissionsIn(caller, workspaceId),
      notificationCategories: preferencesView(categories, preferences),
      nodes: nodes
        .filter((node) => node.workspaceId === workspaceId)
        .map(({ nodeId, class: className, name: nodeName, path, isOwn, groups, isStopped }) => ({
          _id: nodeId,
          _class: names.full(className),
          name: nodeName,
          path,
          isOwn,
          groups,
          isStopped,
        })),
    })),
    hasMore: found.length > nodes.length,
  };
}
