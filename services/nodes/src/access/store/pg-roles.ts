import type { Queryable } from '@catchment/pg';
import { nameKey } from '../../domain/body/names.ts';
import type { Role } from '../domain/role.ts';

export async function insertRoles(tx: Queryable, ownerId: string, roles: readonly Role[]): Promise<void> {
  for (const role of roles)
    await tx.query(
      `INSERT INTO roles (role_id, owner_id, name, name_key, permissions, position)
       SELECT $1, $2, $3, $4, $5, coalesce(max(position) + 1, 0) FROM roles WHERE owner_id = $2`,
      [role.roleId, ownerId, role.name, nameKey(role.name), role.permissions],
      'insert-role',
    );
}

export async function saveRole(tx: Queryable, ownerId: string, role: Role): Promise<void> {
  await tx.query(
    'UPDATE roles SET name = $3, name_key = $4, permissions = $5 WHERE owner_id = $1 AND role_id = $2',
    [ownerId, role.roleId, role.name, nameKey(role.name), role.permissions],
    'save-role',
  );
}

export async function deleteRole(tx: Queryable, ownerId: string, roleId: string): Promise<void> {
  await tx.query('DELETE FROM roles WHERE owner_id = $1 AND role_id = $2', [ownerId, roleId], 'delete-role');
}
