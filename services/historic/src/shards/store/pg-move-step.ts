import type { Queryable } from '@catchment/pg';
import { PortionChoice } from '../domain/portion-choice.ts';
import type { Move, MoveStep, Portion } from '../usecases/ports.ts';
import { elsewhere } from './pg-workspace-series.ts';

type PortionRow = {
  portion_id: number;
  from_shard: string;
  to_shard: string;
  state: Portion['state'];
  is_marked: boolean;
  is_passed: boolean;
  is_copied: boolean;
  left_ms: number | null;
};

const AFTER = "clock_timestamp() + $2 * interval '1 millisecond'";

/** The work on one move runs within a transaction that holds its row. */
export const moveStep = (tx: Queryable, move: Move): MoveStep => ({
  move,

  async portion() {
    const { rows } = await tx.query<PortionRow>(
      `SELECT portion_id, from_shard, to_shard, state, boundaries <> '{}' AS is_marked,
         NOT EXISTS (
           SELECT FROM unnest(boundaries) WITH ORDINALITY AS b (sequence, n)
           LEFT JOIN shard_claims c ON c.shard = from_shard AND c.partition = b.n - 1
           WHERE b.sequence > coalesce(c.applied, 0)) AS is_passed,
         NOT EXISTS (SELECT FROM portion_series s WHERE s.portion_id = p.portion_id AND NOT is_copied) AS is_copied,
         1000 * extract(epoch FROM cut_until - clock_timestamp())::float8 AS left_ms
       FROM shard_portions p WHERE move_id = $1 AND state IN ('preparing', 'copying', 'cutting') LIMIT 1`,
      [move.moveId],
    );
    const [row] = rows;
    return (
      row && {
        portionId: row.portion_id,
        fromShard: row.from_shard,
        toShard: row.to_shard,
        state: row.state,
        isMarked: row.is_marked,
        isPassed: row.is_passed,
        isCopied: row.is_copied,
        leftMs: row.left_ms ?? 0,
      }
    );
  },

  async begin(limit) {
    const choice = new PortionChoice(limit);
    for await (const series of elsewhere(tx, move)) if (!choice.take(series)) break;
    const { chosen } = choice;
    if (typeof chosen === 'string') return chosen;
    const { fromShard, nodeIds } = chosen;
    // A writer looks for portions by the assignments of series.
    await tx.query(`INSERT INTO series_shards (node_id, shard) SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING`, [
      nodeIds,
      fromShard,
    ]);
    await tx.query(
      `WITH made AS (
         INSERT INTO shard_portions (move_id, from_shard, to_shard, boundaries) VALUES ($1, $2, $3, '{}') RETURNING portion_id)
       INSERT INTO portion_series (portion_id, node_id) SELECT portion_id, unnest($4::text[]) FROM made`,
      [move.moveId, fromShard, move.toShard, nodeIds],
    );
    await tx.query('UPDATE shard_moves SET failure = NULL WHERE move_id = $1', [move.moveId]);
    return 'begun';
  },

  async mark({ portionId, state }, sequences, limitMs) {
    await tx.query(
      `UPDATE shard_portions SET boundaries = $3::bigint[], cut_until = CASE WHEN state = 'cutting' THEN cut_until ELSE ${AFTER} END
       WHERE portion_id = $1 AND state = $4`,
      [portionId, limitMs, [...sequences], state],
    );
  },

  async beginCopying({ portionId }) {
    await tx.query(
      `UPDATE shard_portions SET state = 'copying', boundaries = '{}' WHERE portion_id = $1 AND state = 'preparing'`,
      [portionId],
    );
  },

  async takeBack({ portionId }) {
    await tx.query(`UPDATE shard_portions SET state = 'copying' WHERE portion_id = $1 AND state = 'cutting'`, [
      portionId,
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

  async beginSwitchover({ portionId }, limitMs) {
    await tx.query(
      `UPDATE shard_portions SET state = 'cutting', boundaries = '{}', cut_until = ${AFTER}
       WHERE portion_id = $1 AND state = 'copying'`,
      [portionId, limitMs],
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
    await tx.query(`UPDATE shard_moves SET failure = $3, try_time = ${AFTER} WHERE move_id = $1`, [
      move.moveId,
      retryMs,
      reason,
    ]);
  },

  async end() {
    await tx.query(`UPDATE shard_moves SET state = 'done', ended_time = now(), failure = NULL WHERE move_id = $1`, [
      move.moveId,
    ]);
  },
});
