import type { Queryable } from '@catchment/pg';
import type { ControlSet, PendingControl } from '../domain/control.ts';

/** A session takes this many values; others come with the next one. */
const PENDING_MAX = 500;

export async function saveControl(tx: Queryable, control: ControlSet): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO controls (node_id, owner_id, workspace_id, source_id, revision, value, series, name, family)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (node_id) DO UPDATE SET workspace_id = excluded.workspace_id, source_id = excluded.source_id,
       revision = excluded.revision, value = excluded.value, series = excluded.series, name = excluded.name,
       family = excluded.family
     WHERE controls.revision < excluded.revision AND controls.owner_id = excluded.owner_id`,
    [
      control.nodeId,
      control.ownerId,
      control.workspaceId,
      control.sourceId,
      control.revision,
      control.value === null ? null : JSON.stringify(control.value),
      control.series,
      control.name,
      control.family,
    ],
    'save-control',
  );
  return rowCount === 1;
}

export async function pendingControls(on: Queryable, sourceId: string): Promise<PendingControl[]> {
  const { rows } = await on.query<Omit<PendingControl, 'nodeId'> & { node_id: string }>(
    `SELECT node_id, revision, value, series, name, family FROM controls
     WHERE source_id = $1 AND value IS NOT NULL ORDER BY node_id LIMIT ${PENDING_MAX}`,
    [sourceId],
    'pending-controls',
  );
  return rows.map(({ node_id: nodeId, ...control }) => ({ ...control, nodeId }));
}

export async function endControl(tx: Queryable, nodeId: string, revision: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'UPDATE controls SET value = NULL WHERE node_id = $1 AND revision = $2 AND value IS NOT NULL',
    [nodeId, revision],
    'end-control',
  );
  return rowCount === 1;
}
