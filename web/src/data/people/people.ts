import { signal } from '@preact/signals';
import { call, nodePath } from '../requests/call.ts';
import { overNow } from '../requests/over-now.ts';
import { checkUnchanged, unlessOvertaken } from '../requests/overtaken.ts';
import { onEvents, onNodes } from '../streams/live.ts';
import { type AccessPage, NOTHING, withPage } from './people-pages.ts';

type Name = { readonly first?: string | null; readonly last?: string | null };
/** The role is empty where it has been deleted since, or where groups alone give access. */
export type Access = {
  readonly role: string;
  readonly permissions?: readonly string[];
  readonly expiryTime?: string | null;
};
type Listed = {
  readonly name?: Name | null;
  readonly contact: { readonly email: string };
  readonly account?: { readonly lastLoginTime: string | null };
  /** The standing of those who may do everything. */
  readonly role: 'OWNER' | 'ADMINISTRATOR' | null;
};
type User = { readonly user: string };
export type Group = {
  readonly group: string;
  readonly users: readonly User[];
  /** Known to who may change groups. */
  readonly _id?: string;
};
/** A Workspace with the people that have access to it by a separate entry (docs/reference/people-and-security.md#who-has-access-where). */
export type Workspace = {
  readonly _id: string;
  readonly name: string;
  /** The rights of the reader there. */
  readonly permissions: readonly string[];
  readonly users: readonly (User & Access)[];
  readonly groups: readonly ({ readonly group: string } & Access)[];
};
export type Role = {
  readonly _id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly revision: number;
};

export type People = {
  readonly people: readonly Listed[];
  readonly groups: readonly Group[];
  readonly workspaces: readonly Workspace[];
  /** There are more Workspaces than these. */
  readonly hasMore: boolean;
  /** The others are on their way. */
  readonly isReading: boolean;
  readonly roles: readonly Role[];
};

/** The people of the account, as far as the person may see them; undefined: not read yet. */
export const people = signal<People | undefined>(undefined);

/** This many are read, a page at a time, and as many more each time that they are asked for. */
const MOST_WORKSPACES = 1_000;
const PAGE_OF_WORKSPACES = 100;

type ReadAccess = AccessPage<Listed, Group, Workspace>;

let most = MOST_WORKSPACES;
let readings = 0;

/**
 * Reads all of it anew. The first time it is shown as it comes: the first page is all, as a rule. Afterwards what is shown stays until
 * all is there.
 */
export async function readPeople(): Promise<void> {
  readings += 1;
  const mine = readings;
  const isFirst = people.peek() === undefined;
  const roles = readRoles();
  // A refusal of the pages comes first, then.
  roles.catch(() => undefined);
  let read: ReadAccess = NOTHING;
  while (read.next !== null && read.workspaces.length < most) {
    const query = { skip: read.next, limit: PAGE_OF_WORKSPACES };
    read = withPage(read, await call<ReadAccess>('GET', '/owners/account/access', { query }));
    const { next, ...found } = read;
    const isLast = next === null || read.workspaces.length >= most;
    const all = { ...found, roles: await roles, hasMore: next !== null, isReading: !isLast };
    // An answer that was asked for before another one may be older than that.
    if (mine !== readings) return;
    if (isFirst || isLast) people.value = all;
  }
}

/** Reads more of the Workspaces, and as many from then on. */
export function readMorePeople(): Promise<void> {
  most += MOST_WORKSPACES;
  return readPeople();
}

/** Events of one change come together. */
const CALM_MS = 400;

/** Follows what others change, for as long as a page shows it. @returns what ends it */
export function followPeople(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void readPeople().catch(() => undefined), CALM_MS);
  };
  const ends = [
    onEvents((event) => {
      if (event.eventType === 'SECURITY') soon();
    }),
    onNodes((news) => {
      if (news.kind === 'reset') soon();
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}

/** A change, and what it has made of everything. */
async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    // Also after a refusal: what is shown may be what has been overtaken.
    await readPeople().catch(() => undefined);
  }
}

/** A person or a group, as requests name them. */
export type Who = User | { readonly group: string };
export type Granted = {
  /** The link of a profile that was made: it sets the password. */
  readonly link?: string | undefined;
};
type Made = { readonly profileActivateUrl?: string };
const listOf = (who: Who, more: object = {}) =>
  'user' in who ? { users: [{ ...who, ...more }] } : { groups: [{ ...who, ...more }] };

const notifying = (isMailed: boolean) => (isMailed ? { query: { notify: 'TRUE' } } : {});
const security = (workspaceId: string, what: string): `/${string}` => `${nodePath(workspaceId)}/security/${what}`;

type Given = Pick<Access, 'role' | 'expiryTime'>;
/** The access that somebody has as a change is begun; null for none. */
export type Before = Given | null;

/**
 * Gives access to a Workspace, or another role in it.
 * @param given without an end: as it was @param was undefined: whatever they have
 * @throws Overtaken where somebody else has changed it since
 */
export async function grant(
  workspaceId: string,
  who: Who,
  given: Given,
  { isMailed = false, was }: { readonly isMailed?: boolean; readonly was?: Before } = {},
): Promise<Granted> {
  const before = was && { role: was.role, expiryTime: was.expiryTime ?? null };
  const body = listOf(who, { ...given, ...(before !== undefined && { was: before }) });
  const change = () =>
    call<{ readonly added: readonly Made[] }>('POST', security(workspaceId, 'subscribe'), {
      body,
      ...notifying(isMailed),
    });
  const name = 'user' in who ? who.user : who.group;
  const { added } = await changing(unlessOvertaken(change, () => accessNow(workspaceId, who), name));
  return { link: added[0]?.profileActivateUrl };
}

/** Reads what somebody has in a Workspace by now. */
async function accessNow(workspaceId: string, who: Who): Promise<Given | undefined> {
  await readPeople();
  const workspace = people.peek()?.workspaces.find(({ _id }) => _id === workspaceId);
  return 'user' in who
    ? workspace?.users.find(({ user }) => user === who.user)
    : workspace?.groups.find(({ group }) => group === who.group);
}

export const revoke = (workspaceId: string, who: Who): Promise<unknown> =>
  changing(call('POST', security(workspaceId, 'unsubscribe'), { body: listOf(who) }));

type Entry = User & Made;
type Revised = { readonly revision: number };
type AccountGroup = Revised & { readonly _id: string; readonly name: string; readonly users: readonly Entry[] };
type AccountPeople = Revised & { readonly administrators: readonly Entry[]; readonly groups: readonly AccountGroup[] };
const userOf = ({ user }: User) => ({ user });

/** The lists as they are now: they are replaced as a whole, for their revision. */
const readLists = (): Promise<AccountPeople> =>
  call('GET', '/owners/account', { query: { attr: 'administrators,groups,revision' } });

const groupNow = async (groupId: string | undefined): Promise<AccountGroup | undefined> =>
  (await readLists()).groups.find(({ _id }) => _id === groupId);

const linkOf = (entries: readonly Entry[] | undefined, user: string): Granted => ({
  link: entries?.find((entry) => entry.user === user)?.profileActivateUrl,
});

/** Makes a list with somebody in it, or without. */
const listWith = (users: readonly Entry[], user: string, isOne: boolean): readonly User[] => {
  const others = users.filter((other) => other.user !== user).map(userOf);
  return isOne ? [...others, { user }] : others;
};

/** Makes an administrator of somebody, or takes that away. */
export function setAdministrator(user: string, isOne: boolean, isMailed = false): Promise<Granted> {
  return changing(
    overNow(async () => {
      const { administrators, revision } = await readLists();
      const answer = await call<Partial<AccountPeople>>('PUT', '/owners/account', {
        body: { administrators: listWith(administrators, user, isOne) },
        ifMatch: revision,
        ...notifying(isMailed),
      });
      return linkOf(answer.administrators, user);
    }),
  );
}

const groupPath = (groupId = ''): `/${string}` => `/owners/account/groups/${encodeURIComponent(groupId)}`;

/** Takes people into a group, or out of it. @throws where the group is gone */
export function setMember(
  groupId: string | undefined,
  user: string,
  isOne: boolean,
  isMailed = false,
): Promise<Granted> {
  return changing(
    overNow(async () => {
      // The server refuses a group that is gone.
      const { users = [], revision } = (await groupNow(groupId)) ?? {};
      const answer = await call<AccountGroup>('PUT', groupPath(groupId), {
        body: { users: listWith(users, user, isOne) },
        ...(revision !== undefined && { ifMatch: revision }),
        ...notifying(isMailed),
      });
      return linkOf(answer.users, user);
    }),
  );
}

export const createGroup = (name: string): Promise<unknown> =>
  changing(call('POST', '/owners/account/groups', { body: [{ name, users: [] }] }));
/** @param base as somebody has begun with it @throws Overtaken where it has another name by now */
export const renameGroup = ({ _id, group }: Group, name: string): Promise<unknown> =>
  changing(
    overNow(async () => {
      const now = await groupNow(_id);
      if (now) await checkUnchanged(group, now.name, 'group');
      // Members that others change meanwhile are no reason to refuse another name.
      await call('PUT', groupPath(_id), { body: { name }, ...(now && { ifMatch: now.revision }) });
    }),
  );

/** @param shown with the members that the question has named @throws Overtaken where others are in it by now */
export const deleteGroup = ({ _id, users }: Group): Promise<unknown> =>
  changing(
    (async () => {
      const now = await groupNow(_id);
      if (now) await checkUnchanged(users.map(userOf), now.users.map(userOf), 'group');
      await call('DELETE', groupPath(_id), now ? { ifMatch: now.revision } : {});
    })(),
  );

type RoleBody = Pick<Role, 'name' | 'permissions'>;
const rolePath = (roleId: string): `/${string}` => `/owners/account/roles/${encodeURIComponent(roleId)}`;
export const createRole = (body: RoleBody): Promise<unknown> =>
  changing(call('POST', '/owners/account/roles', { body }));
const readRoles = (): Promise<readonly Role[]> => call('GET', '/owners/account/roles');
const roleNow = async (roleId: string): Promise<Role | undefined> =>
  (await readRoles()).find(({ _id }) => _id === roleId);

/** @param base as somebody has begun with it @throws Overtaken */
export const updateRole = ({ _id, revision }: Role, body: Partial<RoleBody>): Promise<unknown> =>
  changing(
    unlessOvertaken(
      () => call('PUT', rolePath(_id), { body, ifMatch: revision }),
      () => roleNow(_id),
      'role',
    ),
  );
/** @throws Overtaken */
export const deleteRole = ({ _id, revision }: Role): Promise<unknown> =>
  changing(
    unlessOvertaken(
      () => call('DELETE', rolePath(_id), { ifMatch: revision }),
      () => roleNow(_id),
      'role',
    ),
  );

/** The Workspaces in which somebody has an entry, of all that the reader sees. */
async function entriesOf(user: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let next: number | null = 0; next !== null; ) {
    const page: ReadAccess = await call('GET', '/owners/account/access', { query: { skip: next } });
    const theirs = page.workspaces.filter(({ users }) => users.some((entry) => entry.user === user));
    found.push(...theirs.map(({ _id }) => _id));
    next = page.next;
  }
  return found;
}

/**
 * Takes everything from somebody: administrator, groups, then each Workspace.
 * @param only these Workspaces, and nothing of the account
 * @throws where a request is refused: what was taken until then is taken, and shown so
 */
export function removePerson(user: string, only?: readonly string[]): Promise<void> {
  return changing(
    (async () => {
      if (only === undefined) {
        const isAmong = (users: readonly Entry[]) => users.some((entry) => entry.user === user);
        await overNow(async () => {
          const { administrators, revision } = await readLists();
          const body = { administrators: listWith(administrators, user, false) };
          if (isAmong(administrators)) await call('PUT', '/owners/account', { body, ifMatch: revision });
        });
        // Groups are changed one by one: a list of all groups would delete what somebody else has made meanwhile.
        for (const { _id } of (await readLists()).groups.filter((group) => isAmong(group.users)))
          await overNow(async () => {
            const group = await groupNow(_id);
            if (!group || !isAmong(group.users)) return;
            const body = { users: listWith(group.users, user, false) };
            await call('PUT', groupPath(_id), { body, ifMatch: group.revision });
          });
      }
      // Earlier roles of an administrator show themselves now.
      for (const id of only ?? (await entriesOf(user)))
        await call('POST', security(id, 'unsubscribe'), { body: listOf({ user }) });
    })(),
  );
}
