import type { Queryable } from '@catchment/pg';
import { PERSON, type Person } from '../../rights/index.ts';
import type { Profile, UserGroup } from '../domain/account-people.ts';

export async function administratorsOf(on: Queryable, ownerId: string): Promise<Person[]> {
  const { rows } = await on.query<{ person: Person }>(
    `SELECT ${PERSON} AS person FROM administrators a JOIN users u USING (user_id)
     WHERE a.owner_id = $1 ORDER BY a.position`,
    [ownerId],
    'administrators',
  );
  return rows.map(({ person }) => person);
}

/** Reads people with access who are not listed: the owner, and owner and administrators of the parent account. */
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

/** Reads a profile as seen in an account, whose owner's time zone stands in for a missing one. */
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
