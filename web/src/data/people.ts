import { signal } from '@preact/signals';
import { call } from './call.ts';
import { isAdministrator } from './rights.ts';

type Name = { readonly first?: string | null; readonly last?: string | null };
export type Access = { readonly role: string; readonly expiryTime?: string | null };
type Listed = Access & {
  readonly name?: Name | null;
  readonly contact: { readonly email: string };
  readonly account?: { readonly lastLoginTime: string | null };
};
type ListedGroup = Access & { readonly group: string; readonly users: readonly { readonly user: string }[] };
/** Who has access to a Workspace (docs/reference/people-and-security.md#effective-permissions). */
export type Security = { readonly users: readonly Listed[]; readonly groups: readonly ListedGroup[] };
export type Workspace = { readonly _id: string; readonly name: string; readonly permissions?: readonly string[] };
export type Entry = {
  readonly user: string;
  readonly name?: Name | null;
  readonly lastLoginTime?: string;
  readonly profileActivateUrl?: string;
};
export type Group = { readonly _id: string; readonly name: string; readonly users: readonly Entry[] };
/** What administrators see of the account's people. */
type Account = { readonly administrators: readonly Entry[]; readonly groups: readonly Group[] };
export type Role = { readonly _id: string; readonly name: string; readonly permissions: readonly string[] };

export type People = {
  readonly workspaces: readonly Workspace[];
  /** There are more Workspaces than are read. */
  readonly hasMore: boolean;
  readonly securities: ReadonlyMap<string, Security>;
  readonly account: Account | undefined;
  readonly roles: readonly Role[];
};

/** The people of the account, as far as the person may see them; undefined: not read yet. */
export const people = signal<People | undefined>(undefined);

export const MOST_WORKSPACES = 100;
const AT_ONCE = 6;

const securityOf = (id: string): Promise<Security> => call('GET', `/nodes/${encodeURIComponent(id)}/security`);

const readAccount = async (): Promise<Account | undefined> => {
  if (!isAdministrator()) return undefined;
  const { administrators, groups } = await call<Partial<Account>>('GET', '/owners/account');
  return { administrators: administrators ?? [], groups: groups ?? [] };
};

/** Reads all of it anew. */
export async function readPeople(): Promise<void> {
  const [found, account, roles] = await Promise.all([
    call<readonly Workspace[]>('GET', '/nodes', {
      query: {
        ...{ attr: '_id,name,permissions', filter: '_class($match:node.Workspace)', sort: 'name' },
        ...{ type: 'LIST', limit: MOST_WORKSPACES + 1 },
      },
    }),
    readAccount(),
    call<readonly Role[]>('GET', '/owners/account/roles'),
  ]);
  const workspaces = found.slice(0, MOST_WORKSPACES);
  const securities = new Map<string, Security>();
  const left = [...workspaces];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift())
        securities.set(one._id, await securityOf(one._id));
    }),
  );
  people.value = { workspaces, hasMore: found.length > MOST_WORKSPACES, securities, account, roles };
}

async function rereadWorkspace(id: string): Promise<void> {
  const security = await securityOf(id);
  const now = people.peek();
  if (now) people.value = { ...now, securities: new Map(now.securities).set(id, security) };
}

/** Reads the administrators and groups anew, before a list of them is replaced, too. */
async function rereadAccount(): Promise<Account> {
  const account = (await readAccount()) ?? { administrators: [], groups: [] };
  const now = people.peek();
  if (now) people.value = { ...now, account };
  return account;
}

/** A person or a group, as requests name them. */
export type Who = { readonly user: string } | { readonly group: string };
export type Granted = {
  /** Of a profile that was made: it sets the password. */
  readonly link?: string | undefined;
};
type Grant = Access & { readonly name?: Name };
type Answer = { readonly added: readonly { readonly profileActivateUrl?: string }[] };
const listOf = (who: Who, more: object = {}) => ('user' in who ? { users: [{ ...who, ...more }] } : { groups: [{ ...who, ...more }] });

const notifying = (isMailed: boolean) => (isMailed ? { query: { notify: 'TRUE' } } : {});

/** Gives access to a Workspace, or another role in it. */
export async function grant(workspaceId: string, who: Who, given: Grant, isMailed = false): Promise<Granted> {
  const path = `/nodes/${encodeURIComponent(workspaceId)}/security/subscribe` as const;
  const { added } = await call<Answer>('POST', path, { body: listOf(who, given), ...notifying(isMailed) });
  await rereadWorkspace(workspaceId);
  return { link: added[0]?.profileActivateUrl };
}

export async function revoke(workspaceId: string, who: Who): Promise<void> {
  await call('POST', `/nodes/${encodeURIComponent(workspaceId)}/security/unsubscribe`, { body: listOf(who) });
  await rereadWorkspace(workspaceId);
}

const linkOf = (entries: readonly Entry[] | undefined, user: string): Granted => ({
  link: entries?.find((one) => one.user === user)?.profileActivateUrl,
});
const asNamed = ({ user, name }: Entry) => ({ user, ...(name && { name }) });

/** Makes administrators of people, or takes that from them; the list is read just before, for it is replaced. */
export async function setAdministrator(entry: Entry, isOne: boolean, isMailed = false): Promise<Granted> {
  const { administrators } = await rereadAccount();
  const others = administrators.filter(({ user }) => user !== entry.user).map(({ user }) => ({ user }));
  const answer = await call<Partial<Account>>('PUT', '/owners/account', {
    body: { administrators: isOne ? [...others, asNamed(entry)] : others },
    ...notifying(isMailed),
  });
  await readPeople();
  return linkOf(answer.administrators, entry.user);
}

/** Takes people into a group, or out of it. @throws where the group is gone */
export async function setMember(groupId: string, entry: Entry, isOne: boolean, isMailed = false): Promise<Granted> {
  const { groups } = await rereadAccount();
  const others = (groups.find(({ _id }) => _id === groupId)?.users ?? [])
    .filter(({ user }) => user !== entry.user)
    .map(({ user }) => ({ user }));
  const answer = await call<Group>('PUT', `/owners/account/groups/${encodeURIComponent(groupId)}`, {
    body: { users: isOne ? [...others, asNamed(entry)] : others },
    ...notifying(isMailed),
  });
  await readPeople();
  return linkOf(answer.users, entry.user);
}
