import type { Queryable } from '@catchment/pg';
import type { Role } from '../domain/role.ts';

export async function rolesOf(on: Queryable, ownerId: string): Promise<Role[]> {
  const { rows } = await on.query<{ role_id: string; name: string; permissions: string[] }>(
    'SELECT role_id, name, permissions FROM roles WHERE owner_id = $1 ORDER BY position, role_id',
    [ownerId],
    'roles',
  );
  return rows.map((row) => ({ roleId: row.role_id, name: row.name, permissions: row.permissions }));
}
