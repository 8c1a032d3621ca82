import { signal } from '@preact/signals';
import { call } from './call.ts';
import { onEvents, onNodes } from './live.ts';

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
  /** Of those who may do everything. */
  readonly role: 'OWNER' | 'ADMINISTRATOR' | null;
};
type User = { readonly user: string };
export type Group = {
  readonly group: string;
  readonly users: readonly User[];
  /** Known to who may change groups. */
  readonly _id?: string;
};
/** Who has access to a Workspace by an entry of their own (docs/reference/people-and-security.md#who-has-access-where). */
export type Workspace = {
  readonly _id: string;
  readonly name: string;
  /** What the reader may do there. */
  readonly permissions: readonly string[];
  readonly users: readonly (User & Access)[];
  readonly groups: readonly ({ readonly group: string } & Access)[];
};
export type Role = { readonly _id: string; readonly name: string; readonly permissions: readonly string[] };

export type People = {
  readonly people: readonly Listed[];
  readonly groups: readonly Group[];
  readonly workspaces: readonly Workspace[];
  /** There are more Workspaces than are read. */
  readonly hasMore: boolean;
  readonly roles: readonly Role[];
};

/** The people of the account, as far as the person may see them; undefined: not read yet. */
export const people = signal<People | undefined>(undefined);

export const MOST_WORKSPACES = 100;

type Page = Pick<People, 'people' | 'groups' | 'workspaces'> & { readonly next: number | null };

/** One request, as a rule: an answer has an end, and what is behind it comes with the next. */
async function readAccess(): Promise<Omit<People, 'roles'>> {
  const found = { people: new Map<string, Listed>(), groups: new Map<string, Group>(), workspaces: [] as Workspace[] };
  let next: number | null = 0;
  while (next !== null && found.workspaces.length < MOST_WORKSPACES) {
    const query = { skip: next, limit: MOST_WORKSPACES - found.workspaces.length };
    const page: Page = await call('GET', '/owners/account/access', { query });
    for (const one of page.people) found.people.set(one.contact.email, one);
    for (const one of page.groups) found.groups.set(one.group, one);
    found.workspaces.push(...page.workspaces);
    next = page.next;
  }
  return {
    people: [...found.people.values()],
    groups: [...found.groups.values()],
    workspaces: found.workspaces,
    hasMore: next !== null,
  };
}

let readings = 0;

/** Reads all of it anew. */
export async function readPeople(): Promise<void> {
  readings += 1;
  const mine = readings;
  const [access, roles] = await Promise.all([readAccess(), call<readonly Role[]>('GET', '/owners/account/roles')]);
  // An answer that was asked for before another one may be older than that.
  if (mine === readings) people.value = { ...access, roles };
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
  /** Of a profile that was made: it sets the password. */
  readonly link?: string | undefined;
};
type Made = { readonly profileActivateUrl?: string };
const listOf = (who: Who, more: object = {}) =>
  'user' in who ? { users: [{ ...who, ...more }] } : { groups: [{ ...who, ...more }] };

const notifying = (isMailed: boolean) => (isMailed ? { query: { notify: 'TRUE' } } : {});
const security = (workspaceId: string, what: string): `/${string}` =>
  `/nodes/${encodeURIComponent(workspaceId)}/security/${what}`;

/** Gives access to a Workspace, or another role in it. @param given without an end: as it was */
export async function grant(
  workspaceId: string,
  who: Who,
  given: Pick<Access, 'role' | 'expiryTime'>,
  isMailed = false,
): Promise<Granted> {
  const body = listOf(who, given);
  const { added } = await changing(
    call<{ readonly added: readonly Made[] }>('POST', security(workspaceId, 'subscribe'), {
      body,
      ...notifying(isMailed),
    }),
  );
  return { link: added[0]?.profileActivateUrl };
}

export const revoke = (workspaceId: string, who: Who): Promise<unknown> =>
  changing(call('POST', security(workspaceId, 'unsubscribe'), { body: listOf(who) }));

type Entry = User & Made;
type AccountPeople = {
  readonly administrators: readonly Entry[];
  readonly groups: readonly { readonly _id: string; readonly name: string; readonly users: readonly Entry[] }[];
};
const userOf = ({ user }: User) => ({ user });

/** The lists as they are now: they are replaced as a whole. */
async function readLists(): Promise<AccountPeople> {
  const { administrators = [], groups = [] } = await call<Partial<AccountPeople>>('GET', '/owners/account', {
    query: { attr: 'administrators,groups' },
  });
  return { administrators, groups };
}

const linkOf = (entries: readonly Entry[] | undefined, user: string): Granted => ({
  link: entries?.find((one) => one.user === user)?.profileActivateUrl,
});

/** Makes an administrator of somebody, or takes that away. */
export function setAdministrator(user: string, isOne: boolean, isMailed = false): Promise<Granted> {
  return changing(
    (async () => {
      const { administrators } = await readLists();
      const others = administrators.filter((one) => one.user !== user).map(userOf);
      const answer = await call<Partial<AccountPeople>>('PUT', '/owners/account', {
        body: { administrators: isOne ? [...others, { user }] : others },
        ...notifying(isMailed),
      });
      return linkOf(answer.administrators, user);
    })(),
  );
}

const groupPath = (groupId = ''): `/${string}` => `/owners/account/groups/${encodeURIComponent(groupId)}`;

/** Takes people into a group, or out of it. @throws where the group is gone */
export function setMember(groupId: string | undefined, user: string, isOne: boolean, isMailed = false): Promise<Granted> {
  return changing(
    (async () => {
      const { groups } = await readLists();
      const now = groups.find(({ _id }) => _id === groupId)?.users ?? [];
      const others = now.filter((one) => one.user !== user).map(userOf);
      const answer = await call<AccountPeople['groups'][number]>('PUT', groupPath(groupId), {
        body: { users: isOne ? [...others, { user }] : others },
        ...notifying(isMailed),
      });
      return linkOf(answer.users, user);
    })(),
  );
}

export const createGroup = (name: string): Promise<unknown> =>
  changing(call('POST', '/owners/account/groups', { body: [{ name, users: [] }] }));
export const renameGroup = (groupId: string | undefined, name: string): Promise<unknown> =>
  changing(call('PUT', groupPath(groupId), { body: { name } }));
export const deleteGroup = (groupId: string | undefined): Promise<unknown> => changing(call('DELETE', groupPath(groupId)));

type RoleBody = Pick<Role, 'name' | 'permissions'>;
const rolePath = (roleId: string): `/${string}` => `/owners/account/roles/${encodeURIComponent(roleId)}`;
export const createRole = (body: RoleBody): Promise<unknown> =>
  changing(call('POST', '/owners/account/roles', { body }));
export const updateRole = (roleId: string, body: Partial<RoleBody>): Promise<unknown> =>
  changing(call('PUT', rolePath(roleId), { body }));
export const deleteRole = (roleId: string): Promise<unknown> => changing(call('DELETE', rolePath(roleId)));

/** The Workspaces in which somebody has an entry, of all that the reader sees. */
async function entriesOf(user: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let next: number | null = 0; next !== null; ) {
    const page: Page = await call('GET', '/owners/account/access', { query: { skip: next } });
    const theirs = page.workspaces.filter(({ users }) => users.some((one) => one.user === user));
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
        const { administrators, groups } = await readLists();
        const without = (users: readonly Entry[]) => users.filter((one) => one.user !== user).map(userOf);
        const isAmong = (users: readonly Entry[]) => users.some((one) => one.user === user);
        if (isAmong(administrators))
          await call('PUT', '/owners/account', { body: { administrators: without(administrators) } });
        // One by one: a list of all groups would delete what somebody else has made meanwhile.
        for (const { _id, users } of groups.filter((group) => isAmong(group.users)))
          await call('PUT', groupPath(_id), { body: { users: without(users) } });
      }
      // What an administrator had before shows itself now.
      for (const id of only ?? (await entriesOf(user)))
        await call('POST', security(id, 'unsubscribe'), { body: listOf({ user }) });
    })(),
  );
}
