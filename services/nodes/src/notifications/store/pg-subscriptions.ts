import type { Queryable } from '@catchment/pg';
import type { PrincipalColumn } from '../../rights/index.ts';
import type { ReportUnsubscription } from '../domain/unsubscribe-links.ts';

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
