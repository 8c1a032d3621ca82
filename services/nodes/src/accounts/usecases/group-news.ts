import type { AccessNews } from '../../people/index.ts';
import type { UserGroup } from '../domain/account-people.ts';

/**
 * Returns the people who joined groups and who left them.
 * @param named groups whose users the request has given: those who stay are named again
 */
export function groupNews(
  before: readonly UserGroup[],
  after: readonly UserGroup[],
  named: ReadonlySet<string>,
): AccessNews[] {
  const membersBefore = members(before);
  const membersAfter = members(after);
  const news: AccessNews[] = [];
  for (const { groupId, name, users } of after) {
    const what = `membership of the group '${name}'`;
    for (const { userId } of users) {
      const isNew = !membersBefore.has(`${groupId} ${userId}`);
      if (isNew || named.has(groupId)) news.push({ userId, change: isNew ? 'granted' : 'kept', what });
    }
  }
  for (const { groupId, name, users } of before)
    for (const { userId } of users)
      if (!membersAfter.has(`${groupId} ${userId}`))
        news.push({ userId, change: 'revoked', what: `membership of the group '${name}'` });
  return news;
}

const members = (groups: readonly UserGroup[]): ReadonlySet<string> =>
  new Set(groups.flatMap(({ groupId, users }) => users.map(({ userId }) => `${groupId} ${userId}`)));
