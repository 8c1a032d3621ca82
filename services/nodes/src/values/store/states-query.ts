import type { Queryable } from '@catchment/pg';
import type { StoredState } from '../domain/reported-alarms.ts';

/**
 * Reads the stored states of nodes whose values are locked (`lockEdges`), so that nobody else stores any; nodes without alarms and states
 * are left out.
 */
export async function storedStates(tx: Queryable, nodeIds: readonly string[]): Promise<Map<string, StoredState>> {
  if (nodeIds.length === 0) return new Map();
  const { rows } = await tx.query<StoredState & { readonly nodeId: string }>(
    `SELECT node_id AS "nodeId", current_state_id AS "stateId", state_revision AS revision FROM node_alarms
     WHERE node_id = ANY($1)`,
    [nodeIds],
    'stored-states',
  );
  return new Map(rows.map(({ nodeId, ...state }) => [nodeId, state]));
}
