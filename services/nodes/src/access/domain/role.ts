import { PERMISSIONS, type Permission } from '@catchment/access';
import { nameKey } from '../../domain/body/names.ts';
import { type Fields, invalidAttribute, type JsonObject, NO_CONTEXT, readValue } from '../../domain/body/rule.ts';
import { readText } from '../../domain/body/texts.ts';

const without = (...left: Permission[]): Permission[] => PERMISSIONS.filter((permission) => !left.includes(permission));

export type Role = { readonly roleId: string; readonly name: string; readonly permissions: readonly string[] };

/** Roles of a new account. */
export const DEFAULT_ROLES: readonly Omit<Role, 'roleId'>[] = [
  { name: 'Manage', permissions: PERMISSIONS },
  { name: 'Configure', permissions: without('SECURITY') },
  { name: 'Operate', permissions: without('EDIT_DATA', 'MANAGE_NOTIFICATIONS', 'CONFIGURE', 'SECURITY') },
  { name: 'View', permissions: ['VIEW'] },
];

export const MAX_ROLES = 100;

/** A body may set these attributes of a role. */
export const ROLE = {
  name: { rule: { kind: 'text', min: 1, max: 60 } },
  permissions: { rule: { kind: 'list', max: 100, item: { kind: 'choice', of: PERMISSIONS } } },
} as const satisfies Fields;
const RESERVED: ReadonlySet<string> = new Set(['owner', 'administrator', 'no access']);
export const isReservedRole = (name: string): boolean => RESERVED.has(nameKey(name));

/**
 * Returns a role with the attributes of a body: the stored one changed, or a new one.
 * @param others the account's other roles
 * @throws DomainError invalid_argument naming the attribute
 */
export function changeRole(
  current: Omit<Role, 'roleId'> | undefined,
  body: JsonObject,
  others: readonly Pick<Role, 'name'>[],
): Omit<Role, 'roleId'> {
  const name = body.name === undefined && current ? current.name : readText(ROLE.name.rule, body.name, 'name');
  if (isReservedRole(name))
    throw invalidAttribute('name', 'must not be a reserved name (OWNER, ADMINISTRATOR, No Access)');
  if (others.some((other) => nameKey(other.name) === nameKey(name)))
    throw invalidAttribute('name', 'must be unique among the roles of the account, letter case aside');
  const permissions =
    body.permissions === undefined ? (current?.permissions ?? ['VIEW']) : readPermissions(body.permissions);
  return { name, permissions };
}

/** Reads permissions in the order of the table; VIEW is always there. */
function readPermissions(value: unknown): Permission[] {
  const given =
    value === null ? [] : (readValue(ROLE.permissions.rule, value, 'permissions', NO_CONTEXT) as Permission[]);
  return PERMISSIONS.filter((permission) => permission === 'VIEW' || given.includes(permission));
}
