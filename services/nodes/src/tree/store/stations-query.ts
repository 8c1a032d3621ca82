import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';
import { STATION } from './device-sources-query.ts';

/** Finds the source, of any account, that has a siteId; nobody else changes it until the transaction ends. */
export async function holderOf(
  tx: Queryable,
  siteId: string,
): Promise<{ readonly node: StoredNode; readonly isOfActiveAccount: boolean } | undefined> {
  const { rows } = await tx.query<NodeRow & { is_active_account: boolean }>(
    `SELECT ${NODE_COLUMNS}, o.status = 'ACTIVE' AS is_active_account FROM nodes n JOIN owners o USING (owner_id)
     WHERE ${STATION} = $1 AND config -> 'transport' ->> 'class' IN ('TcpServer', 'Meshlium')
       AND config -> 'transport' ->> 'class' = 'TcpServer' FOR UPDATE OF n`,
    [siteId],
    'station-holder',
  );
  const [row] = rows;
  return row && { node: toNode(row), isOfActiveAccount: row.is_active_account };
}

export const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** Counts the refused choices of the account on this day of UTC. */
export async function refusalsOn(tx: Queryable, ownerId: string, nowMs: number): Promise<number> {
  const { rows } = await tx.query<{ refusals: number }>(
    'SELECT refusals FROM station_refusals WHERE owner_id = $1 AND day = $2',
    [ownerId, dayOf(nowMs)],
    'station-refusals',
  );
  return rows[0]?.refusals ?? 0;
}
