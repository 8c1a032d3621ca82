import { type ApiCaller, isUnlimited, permissionsIn, scopeOf } from '@catchment/access';
import type { ListAccessRequest } from '@catchment/contracts/security';
import type { StoreDeps } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { contactView } from '../../rights/index.ts';
import { entryView } from '../domain/security-view.ts';
import {
  type AccessEntry,
  entriesIn,
  groupsWithMembers,
  peopleWith,
  type WorkspaceOfAccess,
  workspacesWithEntries,
} from '../store/account-access-query.ts';

/** One answer has this many entries: the Workspaces behind them come with the next page. */
const MAX_ENTRIES = 10_000;

/**
 * `GET /owners/account/access` (docs/reference/people-and-security.md#who-has-access-where) answers who has access to which
 * Workspace, by oneself and by groups; of the Workspaces that the caller may see.
 */
export async function listAccess(
  deps: StoreDeps,
  caller: ApiCaller,
  { skip, limit }: ListAccessRequest,
): Promise<JsonObject> {
  const { ownerId } = caller;
  const nowMs = deps.now();
  const found = await workspacesWithEntries(deps.database, scopeOf(caller), { skip, limit: limit + 1, nowMs });
  const page = withinBounds(found.slice(0, limit));
  const entries = await entriesIn(
    deps.database,
    ownerId,
    page.map(({ workspaceId }) => workspaceId),
    nowMs,
  );
  // Groups without access anywhere are of the account, and not shown to all.
  const mayAll = caller.accessLevel === 'ACCOUNT' && isUnlimited(caller);
  const groups = await groupsWithMembers(deps.database, ownerId, mayAll ? undefined : idsOf(entries, 'groupId'));
  const userIds = [...idsOf(entries, 'userId'), ...groups.flatMap((group) => group.userIds)];
  // A person who sees no Workspace sees nobody of the account.
  const isBlind = !mayAll && page.length === 0;
  const people = isBlind ? [] : await peopleWith(deps.database, ownerId, [...new Set(userIds)]);
  const emails = new Map(people.map(({ userId, email }) => [userId, email]));
  const names = new Map(groups.map(({ groupId, name }) => [groupId, name]));
  const standingIds = new Set(people.filter(({ standing }) => standing !== null).map(({ userId }) => userId));
  return {
    people: people.map((person) => ({ ...contactView(person), role: person.standing })),
    groups: groups.map(({ groupId, name, userIds: members }) => ({
      // Groups of the account are shown like this: their ids are for its administration.
      ...(mayAll && { _id: groupId }),
      group: name,
      users: members.flatMap((id) => emails.get(id) ?? []).map((user) => ({ user })),
    })),
    workspaces: page.map(({ workspaceId, name }) => {
      const listed = entries.filter((entry) => entry.workspaceId === workspaceId);
      return {
        _id: workspaceId,
        name,
        permissions: permissionsIn(caller, workspaceId),
        // An entry from before somebody became an administrator says nothing.
        users: listed.flatMap((entry) =>
          entry.userId === null || standingIds.has(entry.userId)
            ? []
            : { user: emails.get(entry.userId) ?? '', ...entryView(entry) },
        ),
        groups: listed.flatMap((entry) =>
          entry.groupId === null ? [] : { group: names.get(entry.groupId) ?? '', ...entryView(entry) },
        ),
      };
    }),
    next: page.length < found.length ? skip + page.length : null,
  };
}

/** Returns as many of the Workspaces as an answer holds, and at least the first. */
function withinBounds(workspaces: readonly WorkspaceOfAccess[]): readonly WorkspaceOfAccess[] {
  let sum = 0;
  const past = workspaces.findIndex(({ entries }, i) => {
    sum += entries;
    return i > 0 && sum > MAX_ENTRIES;
  });
  return past < 0 ? workspaces : workspaces.slice(0, past);
}

const idsOf = (entries: readonly AccessEntry[], column: 'userId' | 'groupId'): string[] => [
  ...new Set(entries.flatMap((entry) => entry[column] ?? [])),
];
