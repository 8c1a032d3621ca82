import type { Queryable } from '@catchment/pg';
import type { AwaitedValues } from '../usecases/ports.ts';

/** A question takes less: whoever takes a node asks for it alone, and another time after this one where it gets no answer. */
const AGAIN_AFTER = `interval '10 seconds'`;

export async function awaitValues(tx: Queryable, nodes: readonly Omit<AwaitedValues, 'version'>[]): Promise<void> {
  if (nodes.length === 0) return;
  await tx.query(
    `INSERT INTO awaited_values AS known (node_id, owner_id, updated_ms)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n (node_id, owner_id, updated_ms) ORDER BY node_id
     ON CONFLICT (node_id) DO UPDATE
     SET updated_ms = greatest(known.updated_ms, excluded.updated_ms), version = known.version + 1`,
    [nodes.map(({ nodeId }) => nodeId), nodes.map(({ ownerId }) => ownerId), nodes.map(({ updatedMs }) => updatedMs)],
    'await-values',
  );
}

export async function takeAwaited(on: Queryable, limit: number): Promise<AwaitedValues[]> {
  const { rows } = await on.query<AwaitedValues>(
    `UPDATE awaited_values SET next_at = clock_timestamp() + ${AGAIN_AFTER} WHERE node_id IN (
       SELECT node_id FROM awaited_values WHERE next_at <= clock_timestamp() ORDER BY next_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING node_id AS "nodeId", owner_id AS "ownerId", updated_ms AS "updatedMs", version`,
    [limit],
    'take-awaited',
  );
  return rows;
}

export async function endAwaited(tx: Queryable, nodes: readonly AwaitedValues[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ node_id: string }>(
    `DELETE FROM awaited_values a USING unnest($1::text[], $2::int[]) AS n (node_id, version)
     WHERE a.node_id = n.node_id AND a.version = n.version RETURNING a.node_id`,
    [nodes.map(({ nodeId }) => nodeId), nodes.map(({ version }) => version)],
    'end-awaited',
  );
  return new Set(rows.map(({ node_id }) => node_id));
}
