import type { Queryable } from '@catchment/pg';
import type { Preference } from '../domain/notification-preference.ts';
import type { CategoryUnsubscription } from '../domain/unsubscribe-links.ts';
import type { InWorkspace } from '../usecases/ports.ts';

export async function savePreferences(
  tx: Queryable,
  { ownerId, workspaceId }: InWorkspace,
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

export async function switchOffEmail(
  tx: Queryable,
  { userId, workspaceId, categoryId }: CategoryUnsubscription,
): Promise<{ ownerId: string; email: string } | undefined> {
  const { rows } = await tx.query<{ ownerId: string; email: string }>(
    `UPDATE notification_preferences p SET email = false FROM users u
     WHERE p.user_id = $1 AND p.workspace_id = $2 AND p.category_id = $3 AND p.email AND u.user_id = p.user_id
     RETURNING p.owner_id AS "ownerId", u.address AS email`,
    [userId, workspaceId, categoryId],
    'switch-off-email',
  );
  return rows[0];
}

/** Deletes the preferences of a category that is gone. */
export async function deletePreferencesOf(tx: Queryable, ownerId: string, categoryId: string): Promise<void> {
  await tx.query(
    'DELETE FROM notification_preferences WHERE owner_id = $1 AND category_id = $2',
    [ownerId, categoryId],
    'delete-category-preferences',
  );
}
