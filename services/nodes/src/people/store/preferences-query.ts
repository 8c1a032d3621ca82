import type { Queryable } from '@catchment/pg';
import type { Whose } from '../usecases/ports.ts';

/** Values by key, as JSON texts, in the order of keys. @param key undefined = all */
export async function readPreferences(
  on: Queryable,
  { ownerId, userId }: Whose,
  key?: string,
): Promise<readonly (readonly [key: string, value: string])[]> {
  const { rows } = await on.query<{ key: string; value: string }>(
    'SELECT key, value FROM preferences WHERE owner_id = $1 AND user_id = $2 AND key = coalesce($3, key) ORDER BY key',
    [ownerId, userId, key ?? null],
    'read-preferences',
  );
  return rows.map((row) => [row.key, row.value]);
}
