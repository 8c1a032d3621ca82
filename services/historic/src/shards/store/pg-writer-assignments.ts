import type { Database, Queryable } from '@catchment/pg';
import type { AssignmentPortion, PortionState, ShardAssignment } from '../domain/shard-assignment.ts';
import type { WriterAssignments } from '../usecases/ports.ts';

/** A read that began before a hand-over has ended its look at the map by then (KEEP_MS of the router). */
const FRESH = `interval '500 milliseconds'`;

type Row = {
  node_id: string;
  shard: string;
  portion_id: number | null;
  from_shard: string;
  to_shard: string;
  state: PortionState;
  boundary: number;
  is_fresh: boolean;
};

/**
 * Begins the grace of portions that were handed over. Any replica may set the time: the transaction of the hand-over
 * may have ended late.
 */
export async function beginGrace(on: Queryable): Promise<void> {
  await on.query(
    `UPDATE shard_portions SET moved_time = clock_timestamp() WHERE state = 'left' AND moved_time IS NULL`,
    [],
    'begin-grace',
  );
}

/** Keeps in PostgreSQL how far writers are, and where series are. */
export const pgWriterAssignments = (database: Database): WriterAssignments => ({
  async of(partition, nodeIds) {
    const { rows } = await database.query<Row>(
      `SELECT s.node_id, s.shard, p.portion_id, p.from_shard, p.to_shard, p.state,
         coalesce(p.boundaries[$2::int + 1], 0) AS boundary,
         coalesce(p.state = 'left' AND coalesce(p.moved_time > clock_timestamp() - ${FRESH}, true), false) AS is_fresh
       FROM series_shards s
       LEFT JOIN portion_series m USING (node_id) LEFT JOIN shard_portions p USING (portion_id)
       WHERE s.node_id = ANY($1::text[]) ORDER BY p.portion_id`,
      [nodeIds, partition],
      'writer-places',
    );
    const assignments = new Map<string, ShardAssignment & { readonly portions: AssignmentPortion[] }>();
    for (const { node_id, shard, portion_id, from_shard, to_shard, state, boundary, is_fresh } of rows) {
      const assignment = assignments.get(node_id) ?? { shard, portions: [] };
      assignments.set(node_id, assignment);
      if (portion_id === null) continue;
      const portion = { portionId: portion_id, fromShard: from_shard, toShard: to_shard, state, boundary };
      assignment.portions.push({ ...portion, isFresh: is_fresh });
    }
    return assignments;
  },

  async goOn() {
    await database.query(
      `UPDATE shard_portions SET state = 'copying' WHERE state = 'cutting' AND cut_until < clock_timestamp()`,
      [],
      'take-back-cuts',
    );
    await beginGrace(database);
  },

  async noteChanges(shard, changes) {
    if (changes.length === 0) return;
    await database.query(
      `INSERT INTO portion_changes AS known (portion_id, node_id, bucket, from_ms, to_ms, clears)
       SELECT p.portion_id, c.node_id, c.bucket, min(c.from_ms), max(c.to_ms), bool_or(c.clears)
       FROM unnest($2::text[], $3::int[], $4::bigint[], $5::bigint[], $6::boolean[])
         AS c (node_id, bucket, from_ms, to_ms, clears)
       JOIN portion_series USING (node_id)
       JOIN shard_portions p USING (portion_id)
       WHERE ($1::text IS NULL OR p.from_shard = $1) AND p.state IN ('preparing', 'copying', 'cutting')
       GROUP BY p.portion_id, c.node_id, c.bucket ORDER BY p.portion_id, c.node_id, c.bucket
       ON CONFLICT (portion_id, node_id, bucket) DO UPDATE
       SET from_ms = least(known.from_ms, excluded.from_ms), to_ms = greatest(known.to_ms, excluded.to_ms),
         clears = known.clears OR excluded.clears, version = known.version + 1`,
      [
        shard ?? null,
        changes.map(({ nodeId }) => nodeId),
        changes.map(({ bucket }) => bucket),
        changes.map(({ fromMs }) => fromMs),
        changes.map(({ toMs }) => toMs),
        changes.map(({ clears }) => clears),
      ],
      'note-changes',
    );
  },

  async finish(partition, shard, sequence) {
    await database.query(
      'UPDATE shard_claims SET applied = greatest(applied, $3) WHERE partition = $1 AND shard = $2',
      [partition, shard, sequence],
      'shard-finish',
    );
    // This is asked afterwards: of writers that finish at the same time the last one sees all of them.
    const { rows } = await database.query<{ settled: number }>(
      'SELECT min(applied) AS settled FROM shard_claims WHERE partition = $1',
      [partition],
      'shard-settled',
    );
    return rows[0]?.settled ?? 0;
  },
});
