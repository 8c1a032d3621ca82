import type { Queryable } from '@catchment/pg';
import type { AcquisitionWindow } from '../domain/acquisition-window.ts';
import { toWindow, type WindowRow } from './windows-query.ts';

/**
 * Saves windows of nodes whose values are locked (`lockEdges`), so that none of the nodes is being deleted. Those of other origins, which came along,
 * are not written again.
 */
export async function saveWindows(tx: Queryable, windows: readonly AcquisitionWindow[]): Promise<void> {
  if (windows.length === 0) return;
  await tx.query(
    `INSERT INTO acquisition_windows (node_id, username, origin, is_source, ends_ms, waiting, row_count, parameters)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::bigint[], $6::int[], $7::bigint[], $8::int[])
     ON CONFLICT (node_id, username, origin) DO UPDATE SET is_source = excluded.is_source, ends_ms = excluded.ends_ms,
       waiting = excluded.waiting, row_count = excluded.row_count, parameters = excluded.parameters
     WHERE (acquisition_windows.waiting, acquisition_windows.ends_ms) IS DISTINCT FROM (excluded.waiting, excluded.ends_ms)`,
    [
      windows.map(({ nodeId }) => nodeId),
      windows.map(({ username }) => username),
      windows.map(({ origin }) => origin),
      windows.map(({ isSource }) => isSource),
      windows.map(({ endsMs }) => endsMs),
      windows.map(({ waiting }) => waiting),
      windows.map(({ rows }) => rows),
      windows.map(({ parameters }) => parameters),
    ],
    'save-windows',
  );
}

/** Removes windows that have ended and answers them; those that another process works on are left to it. */
export async function takeEndedWindows(tx: Queryable, nowMs: number, limit: number): Promise<AcquisitionWindow[]> {
  const { rows } = await tx.query<WindowRow>(
    `DELETE FROM acquisition_windows w USING (
       SELECT node_id, username, origin FROM acquisition_windows WHERE ends_ms <= $1
       ORDER BY ends_ms LIMIT $2 FOR UPDATE SKIP LOCKED
     ) ended
     WHERE w.node_id = ended.node_id AND w.username = ended.username AND w.origin = ended.origin RETURNING w.*`,
    [nowMs, limit],
    'take-ended-windows',
  );
  return rows.map(toWindow);
}
