import type { Queryable } from '@catchment/pg';
import type { CountersChange } from '../domain/applied-batch.ts';
import type { Edges, RawValue, SeriesRecord } from '../domain/series-value.ts';

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

type EdgesRow = {
  node_id: string;
  current_ms: number | null;
  current_value: RawValue | null;
  current_quality: number | null;
  previous_ms: number | null;
  previous_value: RawValue | null;
  previous_quality: number | null;
  oldest_ms: number | null;
  oldest_value: RawValue | null;
  oldest_quality: number | null;
};

/** What nodes show now, locked in the order of their ids; nodes that are gone are left out. */
export async function lockValues(tx: Queryable, nodeIds: readonly string[]): Promise<Map<string, Edges>> {
  const { rows } = await tx.query<EdgesRow>(
    `SELECT node_id, current_ms, current_value, current_quality, previous_ms, previous_value, previous_quality,
       oldest_ms, oldest_value, oldest_quality
     FROM node_values WHERE node_id = ANY($1) ORDER BY node_id FOR NO KEY UPDATE`,
    [nodeIds],
    'lock-values',
  );
  return new Map(
    rows.map((row) => [
      row.node_id,
      {
        current: toRecord(row.current_ms, row.current_value, row.current_quality),
        previous: toRecord(row.previous_ms, row.previous_value, row.previous_quality),
        oldest: toRecord(row.oldest_ms, row.oldest_value, row.oldest_quality),
      },
    ]),
  );
}

/** The record of three columns; null when the series has none. */
export const toRecord = (ms: number | null, value: RawValue | null, quality: number | null): SeriesRecord | null =>
  ms === null || value === null ? null : { ms, value, quality };

export type SavedEdges = { readonly nodeId: string; readonly edges: Edges; readonly updatedMs: number };

/** One statement for all nodes of a message (docs/reference/guarantees.md#lists-in-one-query). */
export async function saveValues(tx: Queryable, changes: readonly SavedEdges[]): Promise<void> {
  if (changes.length === 0) return;
  const column = <T>(pick: (change: SavedEdges) => T): T[] => changes.map(pick);
  const ofRecord = (edge: keyof Edges) => [
    column(({ edges }) => edges[edge]?.ms ?? null),
    column(({ edges }) => (edges[edge] ? JSON.stringify(edges[edge].value) : null)),
    column(({ edges }) => edges[edge]?.quality ?? null),
  ];
  await tx.query(
    `UPDATE node_values v SET current_ms = u.cm, current_value = u.cv::jsonb, current_quality = u.cq,
       previous_ms = u.pm, previous_value = u.pv::jsonb, previous_quality = u.pq,
       oldest_ms = u.om, oldest_value = u.ov::jsonb, oldest_quality = u.oq,
       updated_ms = greatest(v.updated_ms, u.updated_ms)
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::bigint[], $7::text[], $8::int[],
       $9::bigint[], $10::text[], $11::int[]) AS u(node_id, updated_ms, cm, cv, cq, pm, pv, pq, om, ov, oq)
     WHERE v.node_id = u.node_id`,
    [
      column(({ nodeId }) => nodeId),
      column(({ updatedMs }) => updatedMs),
      ...ofRecord('current'),
      ...ofRecord('previous'),
      ...ofRecord('oldest'),
    ],
    'save-values',
  );
}

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

/** Where events about nodes belong; nodes that are gone are left out. */
export async function eventPlaces(
  on: Queryable,
  nodeIds: readonly string[],
): Promise<Map<string, { ownerId: string; workspaceId: string; nodeClass: string }>> {
  if (nodeIds.length === 0) return new Map();
  const { rows } = await on.query<{ node_id: string; owner_id: string; workspace_id: string; class: string }>(
    'SELECT node_id, owner_id, workspace_id, class FROM nodes WHERE node_id = ANY($1)',
    [nodeIds],
    'event-places',
  );
  return new Map(
    rows.map((row) => [row.node_id, { ownerId: row.owner_id, workspaceId: row.workspace_id, nodeClass: row.class }]),
  );
}
