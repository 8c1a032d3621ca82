import type { Queryable } from '@catchment/pg';
import type { Entry, PersonAccess, Place, WorkspaceGroup, WorkspacePerson } from '../domain/access.ts';
import type { Person } from '../domain/person.ts';
import { PERSON } from './person-columns.ts';

/** Time up to which an entry of `user_access` or `workspace_access` holds. @param now placeholder of Unix ms */
const notEnded = (alias: string, now: string): string =>
  `(${alias}.expires_ms IS NULL OR ${alias}.expires_ms > ${now})`;

/** Reads everybody with access to a workspace: owner, administrators, managers, own entries and members of groups, in this order. */
export async function peopleOf(
  on: Queryable,
  { ownerId, workspaceId, nodeIds, nowMs }: Place,
): Promise<WorkspacePerson[]> {
  type Row = { person: Person; standing: PersonAccess['standing']; own: Entry | null; is_closed: boolean; groups: [] };
  const { rows } = await on.query<Row>(
    `WITH access AS (
       SELECT * FROM user_access a WHERE a.workspace_id = $2 AND a.owner_id = $1 AND ${notEnded('a', '$4')}
     ), standing AS (
       SELECT DISTINCT ON (user_id) user_id, standing, array_position(ARRAY['OWNER', 'ADMINISTRATOR', 'MANAGER'], standing) AS rank
       FROM standings WHERE owner_id = $1 ORDER BY user_id, rank
     ), people AS (
       SELECT user_id FROM standing UNION SELECT user_id FROM access
     )
     SELECT ${PERSON} AS person, s.standing,
       (SELECT jsonb_build_object('role', a.role, 'permissions', a.permissions, 'expiresMs', a.expires_ms)
        FROM access a WHERE a.user_id = p.user_id AND a.group_id IS NULL) AS own,
       EXISTS (SELECT FROM closed_nodes c WHERE c.user_id = p.user_id AND c.node_id = ANY ($3)) AS is_closed,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('permissions', a.permissions, 'isClosed',
          EXISTS (SELECT FROM closed_nodes c WHERE c.group_id = a.group_id AND c.node_id = ANY ($3)))), '[]')
        FROM access a WHERE a.user_id = p.user_id AND a.group_id IS NOT NULL) AS groups
     FROM people p JOIN users u USING (user_id) LEFT JOIN standing s USING (user_id)
     ORDER BY s.rank NULLS LAST,
       (SELECT e.entry_id FROM workspace_access e WHERE e.workspace_id = $2 AND e.user_id = p.user_id) NULLS LAST, u.address`,
    [ownerId, workspaceId, nodeIds, nowMs],
    'workspace-people',
  );
  return rows.map(({ person, standing, own, is_closed, groups }) => ({
    ...person,
    standing,
    own,
    isClosed: is_closed,
    groups,
  }));
}

/** Reads all groups of an account, those of the workspace first, in the order in which they were added. */
export async function groupsAt(
  on: Queryable,
  { ownerId, workspaceId, nodeIds, nowMs }: Place,
): Promise<WorkspaceGroup[]> {
  type Row = { group_id: string; name: string; entry: Entry | null; is_closed: boolean; users: Person[] };
  const { rows } = await on.query<Row>(
    `SELECT g.group_id, g.name,
       CASE WHEN a.entry_id IS NOT NULL THEN jsonb_build_object('role', coalesce(r.name, ''),
         'permissions', coalesce(r.permissions, ARRAY['VIEW']), 'expiresMs', a.expires_ms) END AS entry,
       EXISTS (SELECT FROM closed_nodes c WHERE c.group_id = g.group_id AND c.node_id = ANY ($3)) AS is_closed,
       (SELECT coalesce(jsonb_agg(${PERSON} ORDER BY m.position), '[]')
        FROM user_group_members m JOIN users u USING (user_id) WHERE m.group_id = g.group_id) AS users
     FROM user_groups g
     LEFT JOIN workspace_access a ON a.group_id = g.group_id AND a.workspace_id = $2 AND ${notEnded('a', '$4')}
     LEFT JOIN roles r USING (role_id)
     WHERE g.owner_id = $1 ORDER BY a.entry_id NULLS LAST, g.position, g.group_id`,
    [ownerId, workspaceId, nodeIds, nowMs],
    'workspace-groups',
  );
  return rows.map((row) => ({
    groupId: row.group_id,
    name: row.name,
    entry: row.entry,
    isClosed: row.is_closed,
    users: row.users,
  }));
}

/** Each kind of entry has this column in the tables below. */
export type PrincipalColumn = 'user_id' | 'group_id';

/** A workspace user has these rights in a workspace. */
type UserGrant = {
  readonly workspaceId: string;
  /** Each way by which the user has come to access has one set. */
  readonly permissions: readonly (readonly string[])[];
  /** Unix ms: when the first of these ways ends; null = none does. */
  readonly untilMs: number | null;
  /** No Access is set somewhere for one of these ways. */
  readonly isClosing: boolean;
};

/** Reads the rights of a workspace user in an account, by workspace; at most `limit` workspaces. One query for a call. */
export async function grantsOf(
  on: Queryable,
  { ownerId, userId, nowMs, limit }: { ownerId: string; userId: string; nowMs: number; limit: number },
): Promise<UserGrant[]> {
  type Row = { workspace_id: string; permissions: string[][]; until_ms: number | null; is_closing: boolean };
  const { rows } = await on.query<Row>(
    `SELECT a.workspace_id, jsonb_agg(DISTINCT a.permissions) AS permissions, min(a.expires_ms) AS until_ms,
       EXISTS (SELECT FROM closed_nodes c JOIN nodes n USING (node_id)
         WHERE (c.user_id = $2 OR c.group_id = ANY (array_agg(a.group_id))) AND n.workspace_id = a.workspace_id) AS is_closing
     FROM user_access a WHERE a.owner_id = $1 AND a.user_id = $2 AND ${notEnded('a', '$3')}
     GROUP BY a.workspace_id ORDER BY a.workspace_id LIMIT $4`,
    [ownerId, userId, nowMs, limit],
    'user-grants',
  );
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    permissions: row.permissions,
    untilMs: row.until_ms,
    isClosing: row.is_closing,
  }));
}

/** Returns those people who may do everything in an account (docs/reference/people-and-security.md#standing). */
export async function standingsOf(
  on: Queryable,
  ownerId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await on.query<{ user_id: string }>(
    'SELECT user_id FROM standings WHERE owner_id = $1 AND user_id = ANY ($2)',
    [ownerId, userIds],
    'standings',
  );
  return new Set(rows.map((row) => row.user_id));
}

/** Finds the user with an e-mail who has any access to an account at all. */
export async function userWithAccess(
  on: Queryable,
  ownerId: string,
  email: string,
  nowMs: number,
): Promise<string | undefined> {
  const { rows } = await on.query<{ user_id: string }>(
    `SELECT u.user_id FROM users u
     WHERE u.address = $2 AND (
       EXISTS (SELECT FROM standings s WHERE s.owner_id = $1 AND s.user_id = u.user_id)
         OR EXISTS (SELECT FROM user_access a WHERE a.owner_id = $1 AND a.user_id = u.user_id AND ${notEnded('a', '$3')}))
     ORDER BY u.proven_at IS NULL, u.user_id LIMIT 1`,
    [ownerId, email, nowMs],
    'user-with-access',
  );
  return rows[0]?.user_id;
}
