import type { Queryable } from '@catchment/pg';
import type { NewPreference, Whose } from '../usecases/ports.ts';

export async function savePreference(
  tx: Queryable,
  { ownerId, userId }: Whose,
  { key, value, max }: NewPreference,
): Promise<boolean> {
  // Requests at once would else pass the limit together.
  await tx.query('SELECT FROM users WHERE user_id = $1 FOR NO KEY UPDATE', [userId], 'lock-user');
  const { rowCount } = await tx.query(
    `INSERT INTO preferences (owner_id, user_id, key, value)
     SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM preferences WHERE owner_id = $1 AND user_id = $2 AND key <> $3) < $5
     ON CONFLICT (owner_id, user_id, key) DO UPDATE SET value = excluded.value`,
    [ownerId, userId, key, value, max],
    'save-preference',
  );
  return rowCount > 0;
}

export async function deletePreference(on: Queryable, { ownerId, userId }: Whose, key: string): Promise<boolean> {
  const { rowCount } = await on.query(
    'DELETE FROM preferences WHERE owner_id = $1 AND user_id = $2 AND key = $3',
    [ownerId, userId, key],
    'delete-preference',
  );
  return rowCount > 0;
}
