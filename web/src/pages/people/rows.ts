import type { Access, Entry, People } from '../../data/people.ts';

export type Standing = 'OWNER' | 'ADMINISTRATOR' | 'USER';
export type PersonRow = {
  readonly email: string;
  readonly name: string;
  readonly standing: Standing;
  /** Null: never. */
  readonly lastLogin: string | null;
  readonly groups: readonly string[];
  /** What the person has in Workspaces, by their ids; the role is empty where groups alone give it. */
  readonly access: ReadonlyMap<string, Access>;
  /** The first end of access. */
  readonly ends: string | null;
};

type Mutable = { -readonly [K in keyof PersonRow]: PersonRow[K] } & { access: Map<string, Access>; groups: string[] };

const nameOf = (name: Entry['name']): string => `${name?.first ?? ''} ${name?.last ?? ''}`.trim();
const isStanding = (role: string): role is 'OWNER' | 'ADMINISTRATOR' => role === 'OWNER' || role === 'ADMINISTRATOR';

/** Everybody once, whatever they are seen by: those who stand highest first, then by name. */
export function peopleRows({ securities, account }: People): readonly PersonRow[] {
  const rows = new Map<string, Mutable>();
  const rowOf = (email: string, name: Entry['name'], lastLogin: string | null | undefined): Mutable => {
    const row: Mutable = rows.get(email) ?? {
      ...{ email, name: '', standing: 'USER', lastLogin: null, groups: [], access: new Map(), ends: null },
    };
    row.name ||= nameOf(name);
    row.lastLogin ??= lastLogin ?? null;
    rows.set(email, row);
    return row;
  };
  for (const { user, name, lastLoginTime } of account?.administrators ?? [])
    rowOf(user, name, lastLoginTime).standing = 'ADMINISTRATOR';
  for (const group of account?.groups ?? [])
    for (const { user, name, lastLoginTime } of group.users) rowOf(user, name, lastLoginTime).groups.push(group.name);
  for (const [id, { users, groups }] of securities) {
    for (const { contact, name, account: own, role, expiryTime } of users) {
      const row = rowOf(contact.email, name, own?.lastLoginTime);
      if (isStanding(role)) row.standing = role;
      else row.access.set(id, { role, expiryTime: expiryTime ?? null });
      if (expiryTime && (row.ends === null || expiryTime < row.ends)) row.ends = expiryTime;
    }
    // Who may not see the groups of the account sees those of a Workspace.
    for (const { group, users: members } of account ? [] : groups)
      for (const { user } of members) {
        const row = rows.get(user);
        if (row && !row.groups.includes(group)) row.groups.push(group);
      }
  }
  const rank = { OWNER: 0, ADMINISTRATOR: 1, USER: 2 } as const;
  return [...rows.values()].sort(
    (a, b) => rank[a.standing] - rank[b.standing] || (a.name || a.email).localeCompare(b.name || b.email),
  );
}

/** Roles with the number of Workspaces in which a person has them, the most usual first. */
export function rolesOf({ access }: PersonRow): readonly (readonly [role: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { role } of access.values()) counts.set(role, (counts.get(role) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

export type Place = { readonly kind: 'workspace' | 'group' | 'administrator'; readonly id: string };
export type Lack = 'email' | 'self' | 'isAdministrator' | 'isIn' | 'isMember' | 'place' | 'role';

/** Why an invitation is not sent at all. */
export function inviteLack(
  { email, role, place }: { readonly email: string; readonly role: string; readonly place: Place | undefined },
  own: string,
  rows: readonly PersonRow[],
  groups: readonly { readonly _id: string; readonly name: string }[],
): Lack | undefined {
  const address = addressOf(email);
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) return 'email';
  if (address === addressOf(own)) return 'self';
  const known = rows.find((row) => addressOf(row.email) === address);
  if (known && known.standing !== 'USER') return 'isAdministrator';
  if (place === undefined) return 'place';
  if (place.kind === 'workspace') {
    if (role === '') return 'role';
    if (known?.access.get(place.id)?.role) return 'isIn';
  }
  if (place.kind === 'group') {
    const group = groups.find(({ _id }) => _id === place.id);
    if (group === undefined) return 'place';
    if (known?.groups.includes(group.name)) return 'isMember';
  }
  return undefined;
}

export const addressOf = (email: string): string => email.trim().toLowerCase();

export type Cell = { readonly row: number; readonly column: number };

/** Where a key leads in a table of cells. */
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
