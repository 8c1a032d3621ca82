import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { withoutClosed } from '../../rights/index.ts';
import type { Preference } from '../domain/notification-preference.ts';

export type OwnWorkspace = {
  readonly workspaceId: string;
  readonly name: string;
  readonly preferences: readonly Preference[];
};

/** Reads the Workspaces of a scope in which somebody is subscribed to a node, or has preferences. */
export async function notifyingWorkspaces(
  on: Queryable,
  { ownerId, workspaceIds }: Scope,
  userId: string,
): Promise<OwnWorkspace[]> {
  const { rows } = await on.query<OwnWorkspace>(
    `WITH mine AS (
       SELECT n.workspace_id FROM subscriptions s JOIN nodes n USING (node_id) WHERE s.owner_id = $1 AND (s.user_id = $2
         OR s.group_id IN (SELECT group_id FROM user_group_members WHERE user_id = $2))
       UNION SELECT workspace_id FROM notification_preferences WHERE owner_id = $1 AND user_id = $2
     )
     SELECT w.node_id AS "workspaceId", w.name,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('categoryId', p.category_id, 'email', p.email, 'sms', p.sms)), '[]')
        FROM notification_preferences p WHERE p.workspace_id = w.node_id AND p.user_id = $2) AS preferences
     FROM mine JOIN nodes w ON w.node_id = mine.workspace_id
     WHERE $3::text[] IS NULL OR w.node_id = ANY ($3) ORDER BY lower(w.name), w.node_id`,
    [ownerId, userId, workspaceIds ?? null],
    'notifying-workspaces',
  );
  return rows;
}

export type OwnSubscription = {
  readonly nodeId: string;
  readonly workspaceId: string;
  readonly class: string;
  readonly name: string;
  /** Names from the Workspace down, parted by `/`. */
  readonly path: string;
  readonly isOwn: boolean;
  /** The person is in these subscribed groups. */
  readonly groups: readonly string[];
  /** The mails of a report have been stopped. */
  readonly isStopped: boolean;
};

/** Reads the nodes of a scope that somebody is subscribed to, by oneself or by groups. */
export async function ownSubscriptions(
  on: Queryable,
  scope: Scope,
  userId: string,
  limit: number,
): Promise<OwnSubscription[]> {
  const values: unknown[] = [scope.ownerId, userId, scope.workspaceIds ?? null, limit];
  const { rows } = await on.query<OwnSubscription>(
    `WITH RECURSIVE mine AS (
       SELECT s.node_id, bool_or(s.user_id IS NOT NULL) AS is_own,
         coalesce(jsonb_agg(g.name ORDER BY g.position) FILTER (WHERE g.group_id IS NOT NULL), '[]') AS groups
       FROM subscriptions s JOIN nodes n USING (node_id) LEFT JOIN user_groups g USING (group_id)
       WHERE s.owner_id = $1 AND ($3::text[] IS NULL OR n.workspace_id = ANY ($3))
         AND (s.user_id = $2 OR s.group_id IN (SELECT group_id FROM user_group_members WHERE user_id = $2))
         ${withoutClosed(scope, 's.node_id', values)}
       GROUP BY s.node_id ORDER BY s.node_id LIMIT $4
     ), way AS (
       SELECT n.node_id AS start_id, n.parent_id, n.name AS path FROM mine JOIN nodes n USING (node_id)
       UNION ALL
       SELECT way.start_id, p.parent_id, p.name || '/' || way.path FROM way JOIN nodes p ON p.node_id = way.parent_id
     )
     SELECT n.node_id AS "nodeId", n.workspace_id AS "workspaceId", n.class, n.name, way.path, mine.is_own AS "isOwn", mine.groups,
       EXISTS (SELECT FROM stopped_reports t WHERE t.node_id = n.node_id AND t.user_id = $2) AS "isStopped"
     FROM mine JOIN nodes n USING (node_id) JOIN way ON way.start_id = n.node_id AND way.parent_id IS NULL
     ORDER BY lower(way.path), n.node_id`,
    values,
  );
  return rows;
}
