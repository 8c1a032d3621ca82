import { PERMISSIONS, type Permission } from '@catchment/access';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { readText } from '../../domain/body/texts.ts';

const without = (...left: Permission[]): Permission[] => PERMISSIONS.filter((one) => !left.includes(one));

export type Role = { readonly roleId: string; readonly name: string; readonly permissions: readonly string[] };

/** Of a new account. */
export const DEFAULT_ROLES: readonly Omit<Role, 'roleId'>[] = [
  { name: 'Manage', permissions: PERMISSIONS },
  { name: 'Configure', permissions: without('SECURITY') },
  { name: 'Operate', permissions: without('EDIT_DATA', 'MANAGE_NOTIFICATIONS', 'CONFIGURE', 'SECURITY') },
  { name: 'View', permissions: ['VIEW'] },
];

export const MAX_ROLES = 100;
const RESERVED: ReadonlySet<string> = new Set(['owner', 'administrator', 'no access']);
export const isReservedRole = (name: string): boolean => RESERVED.has(nameKey(name));

/**
 * A role after a body: over what is stored, or a new one.
 * @param others the account's other roles
 * @throws DomainError invalid_argument naming the attribute
 */
export function changeRole(
  current: Omit<Role, 'roleId'> | undefined,
  body: JsonObject,
  others: readonly Pick<Role, 'name'>[],
): Omit<Role, 'roleId'> {
  const name = body.name === undefined && current ? current.name : readText('name', body.name, 1, 60);
  if (isReservedRole(name))
    throw invalidAttribute('name', 'must not be a reserved name (OWNER, ADMINISTRATOR, No Access)');
  if (others.some((other) => nameKey(other.name) === nameKey(name)))
    throw invalidAttribute('name', 'must be unique among the roles of the account, letter case aside');
  const permissions =
    body.permissions === undefined ? (current?.permissions ?? ['VIEW']) : readPermissions(body.permissions);
  return { name, permissions };
}

/** In the order of the table; VIEW is always there. */
function readPermissions(value: unknown): Permission[] {
  if (value === null) return ['VIEW'];
  if (!Array.isArray(value)) throw invalidAttribute('permissions', 'must be an array');
  if (value.length > 100) throw invalidAttribute('permissions', 'must have at most 100 entries');
  const given = new Set<string>(['VIEW']);
  for (const [i, one] of value.entries()) {
    const found = PERMISSIONS.find((known) => typeof one === 'string' && known === one.toUpperCase());
    if (!found) throw invalidAttribute(`permissions[${i}]`, `must be one of ${PERMISSIONS.join(', ')}`);
    given.add(found);
  }
  return PERMISSIONS.filter((one) => given.has(one));
}
