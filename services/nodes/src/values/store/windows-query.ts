import type { Queryable } from '@catchment/pg';
import type { AcquisitionWindow } from '../domain/acquisition-window.ts';

export type WindowRow = {
  node_id: string;
  username: string;
  origin: string;
  is_source: boolean;
  ends_ms: number;
  waiting: number;
  row_count: number;
  parameters: number;
};

export const toWindow = (row: WindowRow): AcquisitionWindow => ({
  nodeId: row.node_id,
  username: row.username,
  origin: row.origin,
  isSource: row.is_source,
  endsMs: row.ends_ms,
  waiting: row.waiting,
  rows: row.row_count,
  parameters: row.parameters,
});

/** Locks the open windows of nodes. */
export async function lockWindows(tx: Queryable, nodeIds: readonly string[]): Promise<AcquisitionWindow[]> {
  const { rows } = await tx.query<WindowRow>(
    'SELECT * FROM acquisition_windows WHERE node_id = ANY($1) ORDER BY node_id, username, origin FOR UPDATE',
    [nodeIds],
    'lock-windows',
  );
  return rows.map(toWindow);
}
