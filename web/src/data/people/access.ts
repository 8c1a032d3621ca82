import { call, nodePath } from '../requests/call.ts';
import { overNow } from '../requests/over-now.ts';
import { unlessOvertaken } from '../requests/overtaken.ts';
import { type Entry, type Granted, groupNow, groupPath, listWith, type Made, notifying, readLists } from './groups.ts';
import { type Access, changing, people, type ReadAccess, readPeople, type User } from './people.ts';

/** A person or a group. */
export type Who = User | { readonly group: string };
const listOf = (who: Who, more: object = {}) =>
  'user' in who ? { users: [{ ...who, ...more }] } : { groups: [{ ...who, ...more }] };

const security = (workspaceId: string, what: string): `/${string}` => `${nodePath(workspaceId)}/security/${what}`;

type Given = Pick<Access, 'role' | 'expiryTime'>;
/** Somebody has this access as a change is begun; null for none. */
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

/** Lists the Workspaces in which somebody has an entry, of all that the reader sees. */
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
