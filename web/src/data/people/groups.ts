import { call } from '../requests/call.ts';
import { overNow } from '../requests/over-now.ts';
import { checkUnchanged } from '../requests/overtaken.ts';
import { changing, type Group, type User } from './people.ts';

export type Granted = {
  /** A profile that was made has this link: it sets the password. */
  readonly link?: string | undefined;
};
export type Made = { readonly profileActivateUrl?: string };
/** Asks for a mail to whoever gets something. */
export const notifying = (isMailed: boolean) => (isMailed ? { query: { notify: 'TRUE' } } : {});

export type Entry = User & Made;
type Revised = { readonly revision: number };
type AccountGroup = Revised & { readonly _id: string; readonly name: string; readonly users: readonly Entry[] };
type AccountPeople = Revised & { readonly administrators: readonly Entry[]; readonly groups: readonly AccountGroup[] };
const userOf = ({ user }: User) => ({ user });

/** Reads the lists as they are now: they are replaced as a whole, for their revision. */
export const readLists = (): Promise<AccountPeople> =>
  call('GET', '/owners/account', { query: { attr: 'administrators,groups,revision' } });

export const groupNow = async (groupId: string | undefined): Promise<AccountGroup | undefined> =>
  (await readLists()).groups.find(({ _id }) => _id === groupId);

const linkOf = (entries: readonly Entry[] | undefined, user: string): Granted => ({
  link: entries?.find((entry) => entry.user === user)?.profileActivateUrl,
});

/** Makes a list with somebody in it, or without. */
export const listWith = (users: readonly Entry[], user: string, isOne: boolean): readonly User[] => {
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

export const groupPath = (groupId = ''): `/${string}` => `/owners/account/groups/${encodeURIComponent(groupId)}`;

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
