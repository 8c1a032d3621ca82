import type { Queryable } from '@catchment/pg';

export async function setParent(tx: Queryable, nodeId: string, parentId: string): Promise<void> {
  await tx.query('UPDATE nodes SET parent_id = $2 WHERE node_id = $1', [nodeId, parentId], 'set-parent');
}

export async function setWorkspace(tx: Queryable, nodeIds: readonly string[], workspaceId: string): Promise<void> {
  await tx.query(
    `UPDATE nodes SET workspace_id = $2, revision = nextval('node_revision') WHERE node_id = ANY($1)`,
    [nodeIds, workspaceId],
    'set-workspace',
  );
}
