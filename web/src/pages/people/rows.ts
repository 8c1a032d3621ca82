import type { Access, Group, People, Role } from '../../data/people/people.ts';
import { type Conflict, overTheirs } from '../../ui/form/draft.ts';

type Standing = 'OWNER' | 'ADMINISTRATOR' | 'USER';
/** These entries give somebody access to a Workspace. */
export type PersonAccess = {
  /** The person's own entry. */
  readonly direct: Access | undefined;
  readonly byGroups: readonly ({ readonly group: string } & Access)[];
};
export type PersonRow = {
  readonly email: string;
  readonly name: string;
  readonly standing: Standing;
  /** Null: never. */
  readonly lastLogin: string | null;
  readonly groups: readonly string[];
  /** The key is the id of the Workspace. */
  readonly access: ReadonlyMap<string, PersonAccess>;
  /** The first end of access. */
  readonly ends: string | null;
};

/** `row` is a person, `all` what is known of people and their rights. */
export type PersonOf = { readonly row: PersonRow; readonly all: People };

/** Everybody once, whatever they are seen by: those who stand highest first, then by name. */
export function peopleRows({ people, groups, workspaces }: People): readonly PersonRow[] {
  const rows = people.map(({ contact: { email }, name, account, role }): PersonRow => {
    const memberOf = groups.filter(({ users }) => users.some(({ user }) => user === email)).map(({ group }) => group);
    const access = new Map<string, PersonAccess>();
    for (const { _id, users, groups: entered } of role === null ? workspaces : []) {
      const entry = users.find(({ user }) => user === email);
      const byGroups = entered.filter(({ group }) => memberOf.includes(group));
      if (entry || byGroups.length > 0) access.set(_id, { direct: entry, byGroups });
    }
    const ends = [...access.values()]
      .flatMap((access) => [access.direct, ...access.byGroups])
      .flatMap((entry) => entry?.expiryTime ?? []);
    return {
      email,
      name: `${name?.first ?? ''} ${name?.last ?? ''}`.trim(),
      standing: role ?? 'USER',
      access,
      groups: memberOf,
      lastLogin: account?.lastLoginTime ?? null,
      ends: ends.sort()[0] ?? null,
    };
  });
  const rank = { OWNER: 0, ADMINISTRATOR: 1, USER: 2 } as const;
  return rows.sort(
    (a, b) => rank[a.standing] - rank[b.standing] || (a.name || a.email).localeCompare(b.name || b.email),
  );
}

/** Returns roles with the number of Workspaces in which a person has them, the most usual first. Undefined: groups alone give access. */
export function rolesOf({ access }: PersonRow): readonly (readonly [role: string | undefined, count: number])[] {
  const counts = new Map<string | undefined, number>();
  for (const { direct } of access.values()) counts.set(direct?.role, (counts.get(direct?.role) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Lists all that a person may do in a Workspace, each right once, by the order of the first that gives it. */
export const rightsIn = ({ direct, byGroups }: PersonAccess): readonly string[] => [
  ...new Set([...(direct?.permissions ?? []), ...byGroups.flatMap(({ permissions = [] }) => permissions)]),
];

/** Somebody loses something with a group or a role in some Workspaces, and all access in others. */
export type Loss = {
  readonly email: string;
  readonly workspaces: readonly string[];
  readonly allIn: readonly string[];
};

/** Finds who loses what when a group is deleted. Who stays in by something else loses a part only. */
export function lossesOfGroup({ group }: Group, rows: readonly PersonRow[], all: People): readonly Loss[] {
  const nameOf = (id: string) => all.workspaces.find(({ _id }) => _id === id)?.name ?? '';
  return rows.flatMap(({ email, access }) => {
    const concerned = [...access].filter(([, { byGroups }]) => byGroups.some((byGroup) => byGroup.group === group));
    if (concerned.length === 0) return [];
    const isAll = ({ direct, byGroups }: PersonAccess) =>
      direct === undefined && byGroups.every((byGroup) => byGroup.group === group);
    const allIn = concerned.filter(([, access]) => isAll(access)).map(([id]) => nameOf(id));
    return { email, workspaces: concerned.map(([id]) => nameOf(id)), allIn };
  });
}

/** Finds who has a role: people and groups, each with the Workspaces. */
export function holdersOf(
  role: Role,
  { workspaces }: People,
): readonly { who: string; workspaces: readonly string[] }[] {
  const holders = new Map<string, string[]>();
  for (const { name, users, groups } of workspaces)
    for (const entry of [...users, ...groups])
      if (entry.role === role.name) {
        const who = 'user' in entry ? entry.user : entry.group;
        holders.set(who, [...(holders.get(who) ?? []), name]);
      }
  return [...holders].map(([who, of]) => ({ who, workspaces: of }));
}

/** Does the additions and removals of a person to the list that others have made meanwhile. */
const over = (now: readonly string[], before: readonly string[], wanted: readonly string[]): readonly string[] => [
  ...now.filter((item) => wanted.includes(item) || !before.includes(item)),
  ...wanted.filter((item) => !before.includes(item) && !now.includes(item)),
];

type RoleTyped = { readonly name: string; readonly permissions: readonly string[] };

/** Puts a typed role over the one that somebody else has saved. Rights that one ticks and another one unticks are no conflict. */
export function overNewer(
  base: RoleTyped,
  mine: RoleTyped,
  theirs: RoleTyped,
): { readonly values: RoleTyped; readonly conflicts: readonly Conflict[] } {
  const { values, conflicts } = overTheirs({ name: base.name }, { name: mine.name }, { name: theirs.name });
  const permissions = over(theirs.permissions, base.permissions, mine.permissions);
  return { values: { ...values, permissions }, conflicts };
}

export type Place = { readonly kind: 'workspace' | 'group' | 'administrator'; readonly id: string };
export type Lack = 'email' | 'self' | 'isAdministrator' | 'isIn' | 'isMember' | 'groupGone' | 'place' | 'role';

/** Finds why an invitation is not sent at all. */
export function inviteLack(
  { email, role, place }: { readonly email: string; readonly role: string; readonly place: Place | undefined },
  selfEmail: string,
  rows: readonly PersonRow[],
  groups: readonly Group[],
): Lack | undefined {
  const address = addressOf(email);
  if (!isAddress(address)) return 'email';
  if (address === addressOf(selfEmail)) return 'self';
  const known = rows.find((row) => addressOf(row.email) === address);
  if (known && known.standing !== 'USER') return 'isAdministrator';
  if (place === undefined) return 'place';
  if (place.kind === 'workspace') {
    if (role === '') return 'role';
    if (known?.access.get(place.id)?.direct) return 'isIn';
  }
  if (place.kind === 'group') {
    const group = groups.find(({ _id }) => _id === place.id);
    if (group === undefined) return 'groupGone';
    if (known?.groups.includes(group.group)) return 'isMember';
  }
  return undefined;
}

export const addressOf = (email: string): string => email.trim().toLowerCase();
export const isAddress = (address: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address);

/** Returns the entries whose name, or what else they are known by, has the words in it, letter case aside. */
export const named = <T extends { readonly name: string }>(
  all: readonly T[],
  words: string,
  alsoOf: (item: T) => string = () => '',
): readonly T[] => {
  const wanted = words.trim().toLowerCase();
  return wanted === '' ? all : all.filter((item) => `${item.name} ${alsoOf(item)}`.toLowerCase().includes(wanted));
};

/** A part of a list goes from one index to before another. */
export type Window = {
  readonly from: number;
  readonly to: number;
  /** Returns the entries of the part, each with its index in the list. */
  readonly of: <T>(all: readonly T[]) => readonly (readonly [T, number])[];
};

/** Returns the part of this many entries that has an index. */
export function windowAt(index: number, count: number, size: number): Window {
  const from = Math.floor(Math.min(index, Math.max(count - 1, 0)) / size) * size;
  const to = Math.min(from + size, count);
  return { from, to, of: (all) => all.slice(from, to).map((item, i) => [item, from + i] as const) };
}

export type Cell = { readonly row: number; readonly column: number };

/** Tells where a key leads in a table of cells. */
export function movedTo(
  key: string,
  { row, column }: Cell,
  size: { readonly rows: number; readonly columns: number },
): Cell | undefined {
  const within = (at: Cell): Cell => ({
    row: Math.min(Math.max(at.row, 0), size.rows - 1),
    column: Math.min(Math.max(at.column, 0), size.columns - 1),
  });
  const PAGE = 10;
  switch (key) {
    case 'ArrowUp':
      return within({ row: row - 1, column });
    case 'ArrowDown':
      return within({ row: row + 1, column });
    case 'ArrowLeft':
      return within({ row, column: column - 1 });
    case 'ArrowRight':
      return within({ row, column: column + 1 });
    case 'Home':
      return within({ row, column: 0 });
    case 'End':
      return within({ row, column: size.columns - 1 });
    case 'PageUp':
      return within({ row: row - PAGE, column });
    case 'PageDown':
      return within({ row: row + PAGE, column });
    default:
      return undefined;
  }
}
