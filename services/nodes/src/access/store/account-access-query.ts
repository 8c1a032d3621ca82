import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { type Entry, PERSON, type Person } from '../../rights/index.ts';

export type WorkspaceOfAccess = { readonly workspaceId: string; readonly name: string; readonly entries: number };

/** Reads the Workspaces of a scope in the order of their names, each with how many users and groups have access to it. */
export async function workspacesWithEntries(
  on: Queryable,
  { ownerId, workspaceIds }: Scope,
  { skip, limit, nowMs }: { skip: number; limit: number; nowMs: number },
): Promise<WorkspaceOfAccess[]> {
  const { rows } = await on.query<WorkspaceOfAccess>(
    `SELECT n.node_id AS "workspaceId", n.name,
       (SELECT count(*) FROM workspace_access a
        WHERE a.workspace_id = n.node_id AND (a.expires_ms IS NULL OR a.expires_ms > $2)) AS entries
     FROM nodes n WHERE n.owner_id = $1 AND n.parent_id IS NULL AND ($3::text[] IS NULL OR n.node_id = ANY ($3))
     ORDER BY lower(n.name), n.node_id LIMIT $4 OFFSET $5`,
    [ownerId, nowMs, workspaceIds ?? null, limit, skip],
    'workspaces-with-entries',
  );
  return rows;
}

export type AccessEntry = Entry & {
  readonly workspaceId: string;
  /** One of both. */
  readonly userId: string | null;
  readonly groupId: string | null;
};

/** Reads entries of Workspaces, in the order in which they were added. */
export async function entriesIn(
  on: Queryable,
  ownerId: string,
  workspaceIds: readonly string[],
  nowMs: number,
): Promise<AccessEntry[]> {
  const { rows } = await on.query<AccessEntry>(
    `SELECT a.workspace_id AS "workspaceId", a.user_id AS "userId", a.group_id AS "groupId", coalesce(r.name, '') AS role,
       coalesce(r.permissions, ARRAY['VIEW']) AS permissions, a.expires_ms AS "expiresMs"
     FROM workspace_access a LEFT JOIN roles r USING (role_id)
     WHERE a.owner_id = $1 AND a.workspace_id = ANY ($2) AND (a.expires_ms IS NULL OR a.expires_ms > $3)
     ORDER BY a.entry_id`,
    [ownerId, workspaceIds, nowMs],
    'entries-in',
  );
  return rows;
}

export type GroupOfAccess = { readonly groupId: string; readonly name: string; readonly userIds: readonly string[] };

/** Groups with their members. @param groupIds undefined = all of the account */
export async function groupsWithMembers(
  on: Queryable,
  ownerId: string,
  groupIds: readonly string[] | undefined,
): Promise<GroupOfAccess[]> {
  const { rows } = await on.query<GroupOfAccess>(
    `SELECT g.group_id AS "groupId", g.name,
       ARRAY(SELECT m.user_id FROM user_group_members m WHERE m.group_id = g.group_id ORDER BY m.position) AS "userIds"
     FROM user_groups g WHERE g.owner_id = $1 AND ($2::text[] IS NULL OR g.group_id = ANY ($2)) ORDER BY g.position, g.group_id`,
    [ownerId, groupIds ?? null],
    'groups-with-members',
  );
  return rows;
}

export type PersonOfAccess = Person & { readonly standing: 'OWNER' | 'ADMINISTRATOR' | null };

/** Reads these people, the owner and the administrators first. */
export async function peopleWith(
  on: Queryable,
  ownerId: string,
  userIds: readonly string[],
): Promise<PersonOfAccess[]> {
  const { rows } = await on.query<{ person: Person; standing: PersonOfAccess['standing'] }>(
    `WITH standing AS (
       SELECT DISTINCT ON (user_id) user_id, standing, array_position(ARRAY['OWNER', 'ADMINISTRATOR'], standing) AS rank
       FROM standings WHERE owner_id = $1 AND standing <> 'MANAGER' ORDER BY user_id, rank
     )
     SELECT ${PERSON} AS person, s.standing FROM users u LEFT JOIN standing s USING (user_id)
     WHERE s.standing IS NOT NULL OR u.user_id = ANY ($2) ORDER BY s.rank NULLS LAST, u.address, u.user_id`,
    [ownerId, userIds],
    'people-with-access',
  );
  return rows.map(({ person, standing }) => ({ ...person, standing }));
}
