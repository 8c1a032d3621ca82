import { PERMISSIONS } from '@catchment/access';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import type { Person } from './person.ts';

/**
 * A node that is closed, with all below it, has this role; never a Workspace
 * (docs/reference/people-and-security.md#permissions-and-roles).
 */
export const NO_ACCESS = 'No Access';
const OWNER = 'OWNER';
const ADMINISTRATOR = 'ADMINISTRATOR';
/**
 * One user or group is entered in this many workspaces: as many as a call can carry for a key (docs/reference/authentication.md#api-keys).
 */
export const MAX_WORKSPACES_PER_ENTRY = 1_000;

/** A person or group has this access in a workspace. */
export type Entry = {
  /** Empty = the role has been deleted since. */
  readonly role: string;
  readonly permissions: readonly string[];
  /** Unix ms; null = does not end. */
  readonly expiresMs: number | null;
};

/** All this decides what one person may do at a node. */
export type PersonAccess = {
  readonly standing: 'OWNER' | 'ADMINISTRATOR' | 'MANAGER' | null;
  /** The person's workspace entry. */
  readonly own: Entry | null;
  /** No Access is set for the person. */
  readonly isClosed: boolean;
  /** The person is in these groups of the workspace. */
  readonly groups: readonly { readonly permissions: readonly string[]; readonly isClosed: boolean }[];
};

/** A node shows this access of a person (docs/reference/people-and-security.md#effective-permissions). */
type ShownAccess = {
  /** Empty when there is access by groups only. */
  readonly role: string;
  readonly permissions: readonly string[];
  readonly effective: readonly string[];
};

/** Returns the permissions of several sets, each once, in the order of the table. */
export const unionOf = (sets: readonly (readonly string[])[]): string[] => {
  const all = new Set(sets.flat());
  return PERMISSIONS.filter((permission) => all.has(permission));
};

/**
 * Returns a person's role, own and effective permissions (docs/reference/people-and-security.md#permissions-and-roles,
 * docs/reference/people-and-security.md#effective-permissions).
 */
export function accessOf({ standing, own, isClosed, groups }: PersonAccess): ShownAccess {
  if (standing === 'OWNER') return everything(OWNER, [...PERMISSIONS, OWNER]);
  if (standing) return everything(ADMINISTRATOR, PERMISSIONS);
  const effective = unionOf([own?.permissions ?? [], ...groups.map(({ permissions }) => permissions)]);
  // Users with CONFIGURE keep their access to closed nodes.
  const isCutOff = !effective.includes('CONFIGURE') && (isClosed || (!own && isClosedByAll(groups)));
  if (isCutOff) return { role: isClosed ? NO_ACCESS : '', permissions: [], effective: [] };
  return { role: own?.role ?? '', permissions: own?.permissions ?? [], effective };
}

const everything = (role: string, permissions: readonly string[]): ShownAccess => ({
  role,
  permissions,
  effective: permissions,
});

const isClosedByAll = (groups: PersonAccess['groups']): boolean =>
  groups.length > 0 && groups.every((group) => group.isClosed);

/** In a workspace, No Access counts at these nodes: a node alone, or with its ancestors. */
export type Place = {
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly nodeIds: readonly string[];
  /** Unix ms. */
  readonly nowMs: number;
};

/** The person's access to a workspace comes from these grants. */
export type WorkspacePerson = Person & PersonAccess;

/** A workspace knows this group of the account. */
export type WorkspaceGroup = {
  readonly groupId: string;
  readonly name: string;
  /** null = the group has no access to the workspace. */
  readonly entry: Entry | null;
  readonly isClosed: boolean;
  readonly users: readonly Person[];
};

/** @throws DomainError invalid_argument */
export function groupOf(
  groups: ReadonlyMap<string, WorkspaceGroup>,
  { at, group }: { at: string; group: string },
): WorkspaceGroup {
  const found = groups.get(nameKey(group));
  if (!found) throw invalidAttribute(`${at}.group`, 'must be the name of a group of the account');
  return found;
}
