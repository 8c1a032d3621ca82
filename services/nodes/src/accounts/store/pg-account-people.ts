import type { Queryable } from '@catchment/pg';
import { nameKey } from '../../domain/body/names.ts';
import { PERSON, type Person } from '../../rights/index.ts';
import type { Profile, UserGroup } from '../domain/account-people.ts';
import type { PlannedGroup } from '../domain/user-group.ts';

export async function administratorsOf(on: Queryable, ownerId: string): Promise<Person[]> {
  const { rows } = await on.query<{ person: Person }>(
    `SELECT ${PERSON} AS person FROM administrators a JOIN users u USING (user_id)
     WHERE a.owner_id = $1 ORDER BY a.position`,
    [ownerId],
    'administrators',
  );
  return rows.map(({ person }) => person);
}

/** Replaces the whole list. */
export async function setAdministrators(tx: Queryable, ownerId: string, userIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM administrators WHERE owner_id = $1', [ownerId], 'clear-administrators');
  await tx.query(
    `INSERT INTO administrators (owner_id, user_id, position)
     SELECT $1, user_id, n FROM unnest($2::text[]) WITH ORDINALITY AS r(user_id, n)`,
    [ownerId, userIds],
    'insert-administrators',
  );
}

/** People with access who are not listed: the owner, and owner and administrators of the parent account. */
export async function implicitAdministrators(on: Queryable, ownerId: string): Promise<ReadonlySet<string>> {
  const { rows } = await on.query<{ user_id: string }>(
    `SELECT o.owner_user_id AS user_id FROM owners o WHERE o.owner_id = $1
     UNION SELECT p.owner_user_id FROM owners o JOIN owners p ON p.owner_id = o.parent_owner_id WHERE o.owner_id = $1
     UNION SELECT a.user_id FROM owners o JOIN administrators a ON a.owner_id = o.parent_owner_id WHERE o.owner_id = $1`,
    [ownerId],
    'implicit-administrators',
  );
  return new Set(rows.map((row) => row.user_id));
}

export async function groupsOf(on: Queryable, ownerId: string): Promise<UserGroup[]> {
  const { rows } = await on.query<{ group_id: string; name: string; users: Person[] }>(
    `SELECT g.group_id, g.name,
       coalesce(jsonb_agg(${PERSON} ORDER BY m.position) FILTER (WHERE u.user_id IS NOT NULL), '[]') AS users
     FROM user_groups g LEFT JOIN user_group_members m USING (group_id) LEFT JOIN users u USING (user_id)
     WHERE g.owner_id = $1 GROUP BY g.group_id ORDER BY g.position, g.group_id`,
    [ownerId],
    'groups',
  );
  return rows.map((row) => ({ groupId: row.group_id, name: row.name, users: row.users }));
}

/**
 * Stores groups, new and existing; users that are given replace the group's.
 * @param firstPosition where the first of them stands in the account's list
 */
export async function saveGroups(
  tx: Queryable,
  ownerId: string,
  groups: readonly PlannedGroup[],
  userIds: ReadonlyMap<string, string>,
  firstPosition: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO user_groups (group_id, owner_id, name, name_key, position)
     SELECT id, $1, name, key, $2 + n - 1
     FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS r(id, name, key, n)
     ON CONFLICT (group_id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key, position = excluded.position`,
    [
      ownerId,
      firstPosition,
      groups.map(({ groupId }) => groupId),
      groups.map(({ name }) => name),
      groups.map(({ name }) => nameKey(name)),
    ],
    'save-groups',
  );
  const replaced = groups.filter(({ users }) => users !== undefined);
  await tx.query(
    'DELETE FROM user_group_members WHERE group_id = ANY($1)',
    [replaced.map(({ groupId }) => groupId)],
    'clear-members',
  );
  const members = replaced.flatMap(({ groupId, users = [] }) =>
    users.map(({ email }) => ({ groupId, userId: userIds.get(email) ?? '' })),
  );
  await tx.query(
    `INSERT INTO user_group_members (group_id, user_id, position)
     SELECT group_id, user_id, n FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS r(group_id, user_id, n)`,
    [members.map(({ groupId }) => groupId), members.map(({ userId }) => userId)],
    'insert-members',
  );
}

/** The others close up: positions count from 0 without gaps. */
export async function deleteGroups(tx: Queryable, ownerId: string, groupIds: readonly string[]): Promise<void> {
  await tx.query(
    'DELETE FROM user_groups WHERE owner_id = $1 AND group_id = ANY($2)',
    [ownerId, groupIds],
    'delete-groups',
  );
  await tx.query(
    `UPDATE user_groups g SET position = r.n
     FROM (SELECT group_id, row_number() OVER (ORDER BY position, group_id) - 1 AS n FROM user_groups WHERE owner_id = $1) r
     WHERE g.group_id = r.group_id AND g.position <> r.n`,
    [ownerId],
    'renumber-groups',
  );
}

/** A profile as seen in an account, whose owner's time zone stands in for a missing one. */
export async function profileOf(on: Queryable, ownerId: string, userId: string): Promise<Profile | undefined> {
  const { rows } = await on.query<Profile>(
    `SELECT u.user_id, u.address AS email, u.first_name, u.last_name, u.phone, u.time_format, u.timezone_adjust_for_dst,
       coalesce(u.timezone, h.timezone, 'Etc/UTC') AS timezone,
       floor(extract(epoch FROM u.created_at) * 1000)::bigint AS created_ms
     FROM users u JOIN owners o ON o.owner_id = $1 JOIN users h ON h.user_id = o.owner_user_id WHERE u.user_id = $2`,
    [ownerId, userId],
    'profile',
  );
  return rows[0];
}
