import type { Queryable } from '@catchment/pg';

/**
 * Reads attachments that have been with their source for longer than it keeps them, over all accounts. Those of templates, and those
 * that follow one, stay.
 */
export async function oldAttachments(
  on: Queryable,
  nowMs: number,
  limit: number,
): Promise<{ nodeId: string; ownerId: string }[]> {
  const { rows } = await on.query<{ node_id: string; owner_id: string }>(
    `SELECT a.node_id, a.owner_id FROM nodes s
     JOIN nodes w ON w.node_id = s.workspace_id
     JOIN nodes a ON a.parent_id = s.node_id
     WHERE s.config -> 'removeAfterDays' IS NOT NULL AND w.class = 'Workspace'
       AND a.class = 'Attachment' AND a.instance_id IS NULL
       AND a.created_ms <= $1::bigint - (s.config ->> 'removeAfterDays')::bigint * 86400000
     LIMIT $2`,
    [nowMs, limit],
    'old-attachments',
  );
  return rows.map((row) => ({ nodeId: row.node_id, ownerId: row.owner_id }));
}
