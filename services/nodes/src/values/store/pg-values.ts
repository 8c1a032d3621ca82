import type { Queryable } from '@catchment/pg';
import { type ColumnOf, EDGES, shownSaver } from '../../shown/index.ts';
import type { CountersChange } from '../domain/applied-batch.ts';
import type { SavedEdges } from '../usecases/ports.ts';

/**
 * Notes that the messages of a partition up to this one are applied, as part of the transaction that applies them. Whoever
 * is late waits here and learns how far others came.
 * @returns the sequence up to which they were applied before, 0 for none; undefined when this one was among them
 */
export async function advance(tx: Queryable, partition: number, logSequence: number): Promise<number | undefined> {
  const { rows } = await tx.query<{ previous_sequence: number }>(
    `INSERT INTO partition_progress (partition, log_sequence) VALUES ($1, $2)
     ON CONFLICT (partition) DO UPDATE
       SET previous_sequence = partition_progress.log_sequence, log_sequence = excluded.log_sequence
       WHERE partition_progress.log_sequence < excluded.log_sequence
     RETURNING previous_sequence`,
    [partition, logSequence],
    'advance',
  );
  return rows[0]?.previous_sequence;
}

export const saveValues = shownSaver<SavedEdges>('save-values', [
  ...EDGES.flatMap((edge): ColumnOf<SavedEdges>[] => [
    [`${edge}_ms`, 'bigint', ({ edges }) => edges[edge]?.ms ?? null],
    [`${edge}_value`, 'jsonb', ({ edges }) => (edges[edge] ? JSON.stringify(edges[edge].value) : null)],
    [`${edge}_quality`, 'int', ({ edges }) => edges[edge]?.quality ?? null],
  ]),
  ['updated_ms', 'bigint', ({ updatedMs }) => updatedMs, 'greatest(v.updated_ms, u.updated_ms)'],
]);

export async function saveCounters(tx: Queryable, changes: readonly CountersChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `UPDATE node_values v SET last_attempt_ms = greatest(v.last_attempt_ms, u.last_ms),
       last_success_ms = greatest(v.last_success_ms, u.last_ms),
       total_attempts = v.total_attempts + u.count, total_successes = v.total_successes + u.count,
       last_record_count = u.last_rows
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS u(node_id, count, last_ms, last_rows)
     WHERE v.node_id = u.node_id`,
    [
      changes.map(({ nodeId }) => nodeId),
      changes.map(({ count }) => count),
      changes.map(({ lastMs }) => lastMs),
      changes.map(({ lastRows }) => lastRows),
    ],
    'save-counters',
  );
}
