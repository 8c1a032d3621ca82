import type { Queryable } from '@catchment/pg';

/** Hangs a node under another parent. @throws DomainError already_exists by the index of sibling names */
export async function setParent(tx: Queryable, nodeId: string, parentId: string): Promise<void> {
  await tx.query('UPDATE nodes SET parent_id = $2 WHERE node_id = $1', [nodeId, parentId], 'set-parent');
}

/** Nodes that have gone along with a moved ancestor: their workspace and a new revision, for their path is another. */
export async function setWorkspace(tx: Queryable, nodeIds: readonly string[], workspaceId: string): Promise<void> {
  await tx.query(
    `UPDATE nodes SET workspace_id = $2, revision = nextval('node_revision') WHERE node_id = ANY($1)`,
    [nodeIds, workspaceId],
    'set-workspace',
  );
}
