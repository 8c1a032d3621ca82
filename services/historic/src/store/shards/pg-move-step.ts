import type { Queryable } from '@catchment/pg';
import type { Move, MoveStep, Portion } from '../../usecases/shards/ports.ts';
import { elsewhere } from './pg-workspace-series.ts';

type PortionRow = {
  portion_id: number;
  from_shard: string;
  to_shard: string;
  state: Portion['state'];
  boundaries: number[];
  left_ms: number | null;
};

type RoundFound = 'none' | 'held' | 'series';

/** What writers of two shards have begun, by partition. */
const BEGUN = `(SELECT array_agg(claimed ORDER BY partition) FROM
  (SELECT partition, max(claimed) AS claimed FROM shard_claims WHERE shard IN ($2, $3) GROUP BY partition) c)`;

/** The work on one move within a transaction that holds its row. */
export const moveStep = (tx: Queryable, move: Move): MoveStep => ({
  move,

  async portion() {
    const { rows } = await tx.query<PortionRow>(
      `SELECT portion_id, from_shard, to_shard, state, boundaries::float8[] AS boundaries,
         1000 * extract(epoch FROM cut_until - clock_timestamp())::float8 AS left_ms
       FROM shard_portions WHERE move_id = $1 AND state IN ('preparing', 'copying', 'cutting') LIMIT 1`,
      [move.moveId],
    );
    const [row] = rows;
    return (
      row && {
        portionId: row.portion_id,
        fromShard: row.from_shard,
        toShard: row.to_shard,
        state: row.state,
        boundaries: row.boundaries,
        leftMs: row.left_ms ?? 0,
      }
    );
  },

  async begin(limit, partitions) {
    const { rows } = await tx.query<{ scanned_to: string; round_found: RoundFound }>(
      'SELECT scanned_to, round_found FROM shard_moves WHERE move_id = $1',
      [move.moveId],
    );
    const after = rows[0]?.scanned_to ?? '';
    const before = after === '' ? 'none' : (rows[0]?.round_found ?? 'none');
    const scanned = (to: string, found: RoundFound) =>
      tx.query('UPDATE shard_moves SET scanned_to = $2, round_found = $3, failure = NULL WHERE move_id = $1', [
        move.moveId,
        to,
        found,
      ]);
    const { series, held, lastId } = await elsewhere(tx, move, after);
    const fromShard = series[0]?.shard;
    if (fromShard === undefined) {
      const found = before === 'none' && held > 0 ? 'held' : before;
      await scanned(lastId ?? '', found);
      // Only a round over all nodes that finds none is the end.
      return lastId !== undefined || found === 'series' ? 'more' : found;
    }
    const some = series.filter(({ shard }) => shard === fromShard).slice(0, limit);
    await lockClaims(tx, [fromShard], partitions);
    const made = await tx.query<{ portion_id: number }>(
      `INSERT INTO shard_portions (move_id, from_shard, to_shard, boundaries)
       SELECT $1, $2, $3, array_agg(claimed ORDER BY partition) FROM shard_claims WHERE shard = $2
       RETURNING portion_id`,
      [move.moveId, fromShard, move.toShard],
    );
    // A writer looks for portions by the places of series.
    const nodeIds = some.map(({ nodeId }) => nodeId);
    await tx.query(`INSERT INTO series_shards (node_id, shard) SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING`, [
      nodeIds,
      fromShard,
    ]);
    await tx.query(`INSERT INTO portion_series (portion_id, node_id) SELECT $1, unnest($2::text[])`, [
      made.rows[0]?.portion_id,
      nodeIds,
    ]);
    await scanned(some.at(-1)?.nodeId ?? '', 'series');
    return 'begun';
  },

  async setState({ portionId, state: before }, state) {
    await tx.query('UPDATE shard_portions SET state = $3 WHERE portion_id = $1 AND state = $2', [
      portionId,
      before,
      state,
    ]);
  },

  async uncopied({ portionId }, limit) {
    const { rows } = await tx.query<{ node_id: string; copied_ms: number | null }>(
      `SELECT node_id, copied_ms FROM portion_series WHERE portion_id = $1 AND NOT is_copied
       ORDER BY copied_ms NULLS FIRST, node_id LIMIT $2`,
      [portionId, limit],
    );
    return rows.map(({ node_id, copied_ms }) => ({ nodeId: node_id, copiedMs: copied_ms ?? undefined }));
  },

  async copied({ portionId }, series) {
    await tx.query(
      `UPDATE portion_series s SET copied_ms = c.copied_ms, is_copied = c.is_copied
       FROM unnest($2::text[], $3::bigint[], $4::boolean[]) AS c (node_id, copied_ms, is_copied)
       WHERE s.portion_id = $1 AND s.node_id = c.node_id`,
      [
        portionId,
        series.map(({ nodeId }) => nodeId),
        series.map(({ copiedMs }) => copiedMs ?? null),
        series.map(({ isCopied }) => isCopied),
      ],
    );
  },

  async changes({ portionId }, limit) {
    const { rows } = await tx.query<{
      node_id: string;
      bucket: number;
      from_ms: number;
      to_ms: number;
      clears: boolean;
      version: number;
    }>(
      `SELECT node_id, bucket, from_ms, to_ms, clears, version FROM portion_changes
       WHERE portion_id = $1 ORDER BY node_id, bucket LIMIT $2`,
      [portionId, limit],
    );
    return rows.map(({ node_id, from_ms, to_ms, ...row }) => ({
      ...row,
      nodeId: node_id,
      fromMs: from_ms,
      toMs: to_ms,
    }));
  },

  async settleChanges({ portionId }, changes, rest) {
    const columns = [
      changes.map(({ nodeId }) => nodeId),
      changes.map(({ bucket }) => bucket),
      changes.map(({ version }) => version),
      changes.map((_, n) => rest.get(n) ?? null),
    ];
    const given = 'unnest($2::text[], $3::int[], $4::int[], $5::bigint[]) AS c (node_id, bucket, version, rest_ms)';
    const same = 'k.portion_id = $1 AND (k.node_id, k.bucket, k.version) = (c.node_id, c.bucket, c.version)';
    await tx.query(`DELETE FROM portion_changes k USING ${given} WHERE ${same} AND c.rest_ms IS NULL`, [
      portionId,
      ...columns,
    ]);
    if (rest.size > 0)
      await tx.query(
        `UPDATE portion_changes k SET from_ms = c.rest_ms FROM ${given} WHERE ${same} AND c.rest_ms IS NOT NULL`,
        [portionId, ...columns],
      );
  },

  async mark(portion, limitMs) {
    const { rows } = await tx.query<{ boundaries: number[] }>(
      `UPDATE shard_portions SET cut_until = clock_timestamp() + $4 * interval '1 millisecond', boundaries = ${BEGUN}
       WHERE portion_id = $1 AND state = 'copying' RETURNING boundaries::float8[] AS boundaries`,
      [portion.portionId, portion.fromShard, portion.toShard, limitMs],
    );
    return { ...portion, boundaries: rows[0]?.boundaries ?? portion.boundaries, leftMs: limitMs };
  },

  async cut({ portionId, fromShard, toShard }, limitMs, partitions) {
    await lockClaims(tx, [fromShard, toShard], partitions);
    await tx.query(
      `UPDATE shard_portions
       SET state = 'cutting', cut_until = clock_timestamp() + $4 * interval '1 millisecond', boundaries = ${BEGUN}
       WHERE portion_id = $1 AND state = 'copying'`,
      [portionId, fromShard, toShard, limitMs],
    );
  },

  async handOver({ portionId, toShard }) {
    const { rowCount } = await tx.query(
      `UPDATE shard_portions SET state = 'left'
       WHERE portion_id = $1 AND state = 'cutting' AND cut_until > clock_timestamp()`,
      [portionId],
    );
    if (rowCount === 0) return false;
    const moved = await tx.query(
      `INSERT INTO series_shards (node_id, shard) SELECT node_id, $2 FROM portion_series WHERE portion_id = $1
       ON CONFLICT (node_id) DO UPDATE SET shard = excluded.shard`,
      [portionId, toShard],
    );
    await tx.query('UPDATE shard_moves SET series_moved = series_moved + $2, failure = NULL WHERE move_id = $1', [
      move.moveId,
      moved.rowCount,
    ]);
    return true;
  },

  async addCopied(records) {
    await tx.query('UPDATE shard_moves SET records_copied = records_copied + $2, failure = NULL WHERE move_id = $1', [
      move.moveId,
      records,
    ]);
  },

  async wait(reason, retryMs) {
    await tx.query(
      `UPDATE shard_moves SET failure = $2, next_try = clock_timestamp() + $3 * interval '1 millisecond' WHERE move_id = $1`,
      [move.moveId, reason, retryMs],
    );
  },

  async end() {
    await tx.query(`UPDATE shard_moves SET state = 'done', ended_time = now(), failure = NULL WHERE move_id = $1`, [
      move.moveId,
    ]);
  },
});

/** Until the end of the transaction no writer of these begins anything: those that have are seen, the others will see what is stored now. */
async function lockClaims(tx: Queryable, shards: readonly string[], partitions: number): Promise<void> {
  await tx.query(
    `INSERT INTO shard_claims (partition, shard)
     SELECT p, s FROM generate_series(0, $1::int - 1) p, unnest($2::text[]) s ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    [partitions, shards],
  );
  await tx.query('SELECT FROM shard_claims WHERE shard = ANY($1::text[]) ORDER BY partition, shard FOR UPDATE', [
    shards,
  ]);
}
