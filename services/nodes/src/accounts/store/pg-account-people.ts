import type { Queryable } from '@catchment/pg';
import { nameKey } from '../../domain/body/names.ts';
import type { PlannedGroup } from '../domain/user-group.ts';

export async function setAdministrators(tx: Queryable, ownerId: string, userIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM administrators WHERE owner_id = $1', [ownerId], 'clear-administrators');
  await tx.query(
    `INSERT INTO administrators (owner_id, user_id, position)
     SELECT $1, user_id, n FROM unnest($2::text[]) WITH ORDINALITY AS r(user_id, n)`,
    [ownerId, userIds],
    'insert-administrators',
  );
}

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
