import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { type PrincipalColumn, withoutClosed } from '../../rights/index.ts';
import type { ReportUnsubscription } from '../domain/unsubscribe-links.ts';

/** Ids of users and groups that are subscribed. */
export type Subscribers = { readonly userIds: ReadonlySet<string>; readonly groupIds: ReadonlySet<string> };

/** The subscribers of a node. @param on with `branch`, or to any node below it that the scope's user may see */
export async function subscribersOf(
  on: Queryable,
  scope: Scope,
  nodeId: string,
  reach: 'node' | 'branch',
): Promise<Subscribers> {
  const values: unknown[] = [nodeId];
  const { rows } = await on.query<{ user_id: string | null; group_id: string | null }>(
    reach === 'node'
      ? 'SELECT user_id, group_id FROM subscriptions WHERE node_id = $1'
      : `WITH RECURSIVE branch AS (
           SELECT node_id FROM nodes WHERE node_id = $1
           UNION ALL
           SELECT c.node_id FROM branch JOIN nodes c ON c.parent_id = branch.node_id
         ) SELECT DISTINCT s.user_id, s.group_id FROM subscriptions s JOIN branch USING (node_id)
         WHERE TRUE${withoutClosed(scope, 's.node_id', values)}`,
    values,
  );
  return {
    userIds: new Set(rows.flatMap((row) => row.user_id ?? [])),
    groupIds: new Set(rows.flatMap((row) => row.group_id ?? [])),
  };
}

/** @returns those of `ids` who were not subscribed before */
export async function insertSubscriptions(
  tx: Queryable,
  ownerId: string,
  nodeId: string,
  column: PrincipalColumn,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string }>(
    `INSERT INTO subscriptions (owner_id, node_id, ${column}) SELECT $1, $2, unnest($3::text[])
     ON CONFLICT DO NOTHING RETURNING ${column} AS id`,
    [ownerId, nodeId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** @returns those of `ids` who were subscribed */
export async function deleteSubscriptions(
  tx: Queryable,
  nodeId: string,
  column: PrincipalColumn,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string }>(
    `DELETE FROM subscriptions WHERE node_id = $1 AND ${column} = ANY ($2) RETURNING ${column} AS id`,
    [nodeId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** People who have stopped the mails of a report, and want them again. */
export async function resumeReports(tx: Queryable, nodeId: string, userIds: readonly string[]): Promise<void> {
  await tx.query(
    'DELETE FROM stopped_reports WHERE node_id = $1 AND user_id = ANY ($2)',
    [nodeId, userIds],
    'resume-reports',
  );
}

/**
 * Somebody gets no more mails of a report: an own subscription goes, those of groups count no more.
 * @returns undefined where the report or the person is gone, or had been stopped already
 */
export async function stopReport(
  tx: Queryable,
  { userId, reportId }: ReportUnsubscription,
): Promise<{ ownerId: string; workspaceId: string; class: string; email: string } | undefined> {
  const { rows } = await tx.query<{ ownerId: string; workspaceId: string; class: string; email: string }>(
    `WITH stopped AS (
       INSERT INTO stopped_reports (node_id, user_id)
       SELECT n.node_id, u.user_id FROM nodes n, users u WHERE n.node_id = $1 AND u.user_id = $2
       ON CONFLICT DO NOTHING RETURNING node_id, user_id
     )
     SELECT n.owner_id AS "ownerId", n.workspace_id AS "workspaceId", n.class, u.address AS email
     FROM stopped JOIN nodes n USING (node_id) JOIN users u USING (user_id)`,
    [reportId, userId],
    'stop-report',
  );
  if (rows.length > 0) await deleteSubscriptions(tx, reportId, 'user_id', [userId]);
  return rows[0];
}
