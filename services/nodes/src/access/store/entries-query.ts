import type { Queryable } from '@catchment/pg';

/** Counts the entries of the workspace, and the most that one of these users or groups has in an account. */
export async function countEntries(
  on: Queryable,
  workspaceId: string,
  userIds: readonly string[],
  groupIds: readonly string[],
): Promise<{ inWorkspace: number; ofOne: number }> {
  const { rows } = await on.query<{ in_workspace: number; of_one: number }>(
    `SELECT (SELECT count(*) FROM workspace_access WHERE workspace_id = $1) AS in_workspace,
       (SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM workspace_access
        WHERE user_id = ANY ($2) OR group_id = ANY ($3) GROUP BY owner_id, user_id, group_id) one) AS of_one`,
    [workspaceId, userIds, groupIds],
    'count-access',
  );
  return { inWorkspace: rows[0]?.in_workspace ?? 0, ofOne: rows[0]?.of_one ?? 0 };
}

/** Accounts with entries that have ended. */
export async function ownersWithEnded(on: Queryable, nowMs: number, limit: number): Promise<string[]> {
  const { rows } = await on.query<{ owner_id: string }>(
    'SELECT DISTINCT owner_id FROM workspace_access WHERE expires_ms <= $1 ORDER BY owner_id LIMIT $2',
    [nowMs, limit],
    'owners-with-ended-access',
  );
  return rows.map((row) => row.owner_id);
}
