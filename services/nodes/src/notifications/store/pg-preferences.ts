import type { Queryable } from '@catchment/pg';
import type { Preference } from '../domain/notification-preference.ts';

/** Where preferences belong: all nodes of a workspace share them. */
type In = { readonly ownerId: string; readonly workspaceId: string };

/** Stored preferences of the people of a workspace, by user id. */
export async function preferencesIn(on: Queryable, workspaceId: string): Promise<Map<string, Preference[]>> {
  const { rows } = await on.query<Preference & { user_id: string }>(
    `SELECT user_id, category_id AS "categoryId", email, sms FROM notification_preferences WHERE workspace_id = $1`,
    [workspaceId],
    'preferences',
  );
  const byUser = new Map<string, Preference[]>();
  for (const { user_id, ...one } of rows) byUser.set(user_id, [...(byUser.get(user_id) ?? []), one]);
  return byUser;
}

/** Stores a person's preferences; those for neither are not kept. */
export async function savePreferences(
  tx: Queryable,
  { ownerId, workspaceId }: In,
  userId: string,
  preferences: readonly Preference[],
): Promise<void> {
  const kept = preferences.filter(({ email, sms }) => email || sms);
  await tx.query(
    'DELETE FROM notification_preferences WHERE workspace_id = $1 AND user_id = $2',
    [workspaceId, userId],
    'clear-preferences',
  );
  await tx.query(
    `INSERT INTO notification_preferences (owner_id, workspace_id, user_id, category_id, email, sms)
     SELECT $1, $2, $3, category_id, email, sms FROM unnest($4::text[], $5::boolean[], $6::boolean[]) AS r(category_id, email, sms)`,
    [
      ownerId,
      workspaceId,
      userId,
      kept.map(({ categoryId }) => categoryId),
      kept.map(({ email }) => email),
      kept.map(({ sms }) => sms),
    ],
    'insert-preferences',
  );
}

/** Of a category that is gone. */
export async function deletePreferencesOf(tx: Queryable, ownerId: string, categoryId: string): Promise<void> {
  await tx.query(
    'DELETE FROM notification_preferences WHERE owner_id = $1 AND category_id = $2',
    [ownerId, categoryId],
    'delete-category-preferences',
  );
}
