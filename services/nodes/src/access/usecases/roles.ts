import type { Collection } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { dropLostAccess } from '../../rights/index.ts';
import { changeRole, MAX_ROLES, type Role } from '../domain/role.ts';
import { rolesOf } from '../store/roles-query.ts';
import type { RoleStore } from './ports.ts';

/** Roles of an account (docs/reference/people-and-security.md#permissions-and-roles). */
export const roles = ({ insertRoles, saveRole, deleteRole }: RoleStore): Collection<Role> => ({
  isSecret: false,
  list: rolesOf,
  idOf: ({ roleId }) => roleId,
  noun: 'role',
  settingsOf: ({ name, permissions }) => [name, permissions],
  view: ({ roleId, name, permissions }) => ({ _id: roleId, name, permissions }),
  create: async ({ tx, owner, logEvent }, roleId, body, all) => {
    if (all.length >= MAX_ROLES) throw invalidAttribute('name', `an account may have at most ${MAX_ROLES} roles`);
    const role = { roleId, ...changeRole(undefined, body, all) };
    await insertRoles(tx, owner.owner_id, [role]);
    logEvent('SECURITY', `Created role '${role.name}'`);
    return {};
  },
  update: async (change, role, body, all) => {
    const { tx, owner, logEvent } = change;
    const others = all.filter((other) => other !== role);
    const after = { roleId: role.roleId, ...changeRole(role, body, others) };
    if (JSON.stringify(after) === JSON.stringify(role)) return;
    await saveRole(tx, owner.owner_id, after);
    logEvent('SECURITY', `Changed role '${after.name}'`);
    // No Access comes into force for a person who has lost CONFIGURE.
    await dropLostAccess(change.tx, [change.owner.owner_id], change.cause);
  },
  remove: async (change, role) => {
    const { tx, owner, logEvent } = change;
    await deleteRole(tx, owner.owner_id, role.roleId);
    logEvent('SECURITY', `Deleted role '${role.name}'`);
    await dropLostAccess(change.tx, [change.owner.owner_id], change.cause);
  },
});
