import type { Queryable } from '@catchment/pg';
import type { NodeAttempt } from '../usecases/ports.ts';

const keyOf = (nodeId: string, kind: string): string => `${nodeId} ${kind}`;

export async function advanceAttempts(
  tx: Queryable,
  attempts: readonly NodeAttempt[],
): Promise<(attempt: NodeAttempt) => boolean> {
  const newest = new Map<string, NodeAttempt>();
  for (const attempt of attempts) {
    const key = keyOf(attempt.nodeId, attempt.attempt.kind);
    if (attempt.sequence > (newest.get(key)?.sequence ?? 0)) newest.set(key, attempt);
  }
  const rows = [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, attempt]) => attempt);
  const keys = [rows.map((row) => row.nodeId), rows.map((row) => row.attempt.kind)];
  // Locks each row, and shows what it had; a new one has 0.
  const { rows: before } = await tx.query<{ node_id: string; kind: string; log_sequence: number }>(
    `INSERT INTO attempts AS known (node_id, kind) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (node_id, kind) DO UPDATE SET log_sequence = known.log_sequence RETURNING *`,
    keys,
    'lock-attempts',
  );
  await tx.query(
    `UPDATE attempts SET log_sequence = greatest(attempts.log_sequence, new.log_sequence)
     FROM unnest($1::text[], $2::text[], $3::bigint[]) AS new (node_id, kind, log_sequence)
     WHERE (attempts.node_id, attempts.kind) = (new.node_id, new.kind)`,
    [...keys, rows.map((row) => row.sequence)],
    'move-attempts',
  );
  const known = new Map(before.map((row) => [keyOf(row.node_id, row.kind), row.log_sequence]));
  return ({ nodeId, sequence, attempt }) => sequence > (known.get(keyOf(nodeId, attempt.kind)) ?? 0);
}
