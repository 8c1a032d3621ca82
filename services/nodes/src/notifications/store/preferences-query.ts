import type { Queryable } from '@catchment/pg';
import type { Preference } from '../domain/notification-preference.ts';
import type { InWorkspace } from '../usecases/ports.ts';

/** Reads stored preferences of the people of a workspace, by user id. */
export async function preferencesIn(on: Queryable, workspaceId: string): Promise<Map<string, Preference[]>> {
  const { rows } = await on.query<Preference & { user_id: string }>(
    `SELECT user_id, category_id AS "categoryId", email, sms FROM notification_preferences WHERE workspace_id = $1`,
    [workspaceId],
    'preferences',
  );
  const byUser = new Map<string, Preference[]>();
  for (const { user_id, ...preference } of rows) byUser.set(user_id, [...(byUser.get(user_id) ?? []), preference]);
  return byUser;
}

/** Reads categories of which a person gets notifications in a workspace. */
export async function enabledCategories(
  on: Queryable,
  { ownerId, workspaceId }: InWorkspace,
  userId: string,
): Promise<string[]> {
  const { rows } = await on.query<{ categoryId: string }>(
    `SELECT category_id AS "categoryId" FROM notification_preferences
     WHERE owner_id = $1 AND workspace_id = $2 AND user_id = $3 AND (email OR sms)`,
    [ownerId, workspaceId, userId],
    'enabled-categories',
  );
  return rows.map(({ categoryId }) => categoryId);
}

/** Counts people who have any channel of a category switched on, in whatever Workspace. */
export async function countPreferencesOf(on: Queryable, ownerId: string, categoryId: string): Promise<number> {
  const { rows } = await on.query<{ count: number }>(
    `SELECT count(DISTINCT user_id)::int AS count FROM notification_preferences
     WHERE owner_id = $1 AND category_id = $2 AND (email OR sms)`,
    [ownerId, categoryId],
    'count-category-preferences',
  );
  return rows[0]?.count ?? 0;
}
