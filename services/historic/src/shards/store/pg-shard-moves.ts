import { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError, notFound } from '@catchment/errors';
import type { Database, Queryable } from '@catchment/pg';
import { NO_BACKUP } from '../../apply/index.ts';
import type { Move, ShardMoves } from '../usecases/ports.ts';
import { moveStep } from './pg-move-step.ts';
import { assignWorkspace, isActive } from './pg-shard-table.ts';
import { countElsewhere } from './pg-workspace-series.ts';
import { beginGrace } from './pg-writer-assignments.ts';

const LISTED = 100;
/** Kept as long as dead letters: a letter that is tried again belongs to the shard that had its series then. */
const KEPT = `interval '31 days'`;
/** One step removes the copies of this many series. */
const DELETES_AT_ONCE = 50;

type MoveRow = {
  move_id: number;
  workspace_id: string;
  owner_id: string;
  to_shard: string;
  state: Move['state'];
  series_moved: number;
  records_copied: number;
  failure: string | null;
  asked_ms: number;
  ended_ms: number | null;
  left_behind: number;
  cleaning_failure: string | null;
};

const MOVE = `SELECT m.move_id, m.workspace_id, m.owner_id, m.to_shard, m.state, m.series_moved, m.records_copied, m.failure,
  floor(1000 * extract(epoch FROM m.asked_time))::float8 AS asked_ms,
  floor(1000 * extract(epoch FROM m.ended_time))::float8 AS ended_ms,
  (SELECT count(*) FROM shard_portions p JOIN portion_series USING (portion_id)
    WHERE p.move_id = m.move_id AND p.state IN ('left', 'cancelling') AND NOT is_removed) AS left_behind,
  (SELECT min(p.failure) FROM shard_portions p WHERE p.move_id = m.move_id AND p.state IN ('left', 'cancelling')) AS cleaning_failure
  FROM shard_moves m`;

const toMove = (row: MoveRow): Move => ({
  moveId: row.move_id,
  workspaceId: row.workspace_id,
  ownerId: row.owner_id,
  toShard: row.to_shard,
  state: row.state,
  seriesMoved: row.series_moved,
  recordsCopied: row.records_copied,
  failure: row.failure ?? undefined,
  askedMs: row.asked_ms,
  endedMs: row.ended_ms ?? undefined,
  leftBehind: row.left_behind,
  cleaningFailure: row.cleaning_failure ?? undefined,
});

/** Moves between shards, in PostgreSQL. */
export const pgShardMoves = (database: Database): ShardMoves => ({
  ask: (workspaceId, shard) => database.transaction((tx) => ask(tx, workspaceId, shard)),

  cancel: (moveId) =>
    database.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE shard_moves SET state = 'cancelled', ended_time = now() WHERE move_id = $1 AND state = 'moving'`,
        [moveId],
      );
      if (rowCount === 0) throw notFound({ reference: `move ${moveId} that is under way` });
      await tx.query(
        `UPDATE shard_portions SET state = 'cancelling' WHERE move_id = $1 AND state IN ('preparing', 'copying', 'cutting')`,
        [moveId],
      );
      return moveOf(tx, moveId);
    }),

  async list() {
    const { rows } = await database.query<MoveRow>(`${MOVE} ORDER BY m.move_id DESC LIMIT ${LISTED}`);
    return rows.map(toMove);
  },

  left: (move) => countElsewhere(database, move),

  step: (work) =>
    database.transactionOnce(async (tx) => {
      const { rows } = await tx.query<MoveRow>(
        `${MOVE} WHERE m.state = 'moving' AND m.try_time <= now() ORDER BY m.move_id LIMIT 1 FOR UPDATE OF m SKIP LOCKED`,
      );
      return rows[0] && work(moveStep(tx, toMove(rows[0])));
    }),

  async failed(moveId, failure, retryMs) {
    await database.query(
      `UPDATE shard_moves SET failure = $2, try_time = now() + $3 * interval '1 millisecond' WHERE move_id = $1`,
      [moveId, failure, retryMs],
    );
  },

  clean: (graceSeconds, retryMs, remove) =>
    database.transactionOnce(async (tx) => {
      await beginGrace(tx);
      const { rows } = await tx.query<{ portion_id: number; state: string; from_shard: string; to_shard: string }>(
        `SELECT portion_id, state, from_shard, to_shard FROM shard_portions
         WHERE (state = 'cancelling' OR (state = 'left' AND moved_time < now() - make_interval(secs => $1) AND ${NO_BACKUP}))
           AND next_try <= now()
         ORDER BY portion_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [graceSeconds],
      );
      const [portion] = rows;
      if (!portion) return false;
      const isLeft = portion.state === 'left';
      const { rows: series } = await tx.query<{ node_id: string }>(
        'SELECT node_id FROM portion_series WHERE portion_id = $1 AND NOT is_removed ORDER BY node_id LIMIT $2',
        [portion.portion_id, DELETES_AT_ONCE],
      );
      const nodeIds = series.map(({ node_id }) => node_id);
      const failure =
        nodeIds.length > 0 ? await remove(isLeft ? portion.from_shard : portion.to_shard, nodeIds) : undefined;
      if (failure !== undefined)
        await tx.query(
          `UPDATE shard_portions SET failure = $2, next_try = clock_timestamp() + $3 * interval '1 millisecond'
           WHERE portion_id = $1`,
          [portion.portion_id, failure, retryMs],
        );
      else if (nodeIds.length === DELETES_AT_ONCE)
        await tx.query(
          'UPDATE portion_series SET is_removed = true WHERE portion_id = $1 AND node_id = ANY($2::text[])',
          [portion.portion_id, nodeIds],
        );
      else {
        await tx.query('DELETE FROM portion_changes WHERE portion_id = $1', [portion.portion_id]);
        await tx.query('UPDATE shard_portions SET state = $2 WHERE portion_id = $1', [
          portion.portion_id,
          isLeft ? 'moved' : 'cancelled',
        ]);
      }
      return true;
    }),

  async purge() {
    await database.query(
      `DELETE FROM shard_portions p USING shard_moves m
       WHERE m.move_id = p.move_id AND p.state IN ('moved', 'cancelled') AND m.ended_time < now() - ${KEPT}`,
    );
    await database.query(
      `DELETE FROM shard_moves m WHERE ended_time < now() - ${KEPT}
       AND NOT EXISTS (SELECT FROM shard_portions p WHERE p.move_id = m.move_id)`,
    );
  },
});

async function ask(tx: Queryable, workspaceId: string, shard: string): Promise<Move> {
  const { rows: nodes } = await tx.query<{ config: Buffer }>(
    'SELECT config FROM node_replica WHERE node_id = $1 AND deleted_time IS NULL',
    [workspaceId],
  );
  const workspace = nodes[0] && NodeConfig.decode(nodes[0].config);
  if (!workspace || workspace.workspaceId !== workspaceId) throw notFound({ reference: `workspace ${workspaceId}` });
  if (!(await isActive(tx, shard)))
    throw new DomainError('failed_precondition', 'SHARD_NOT_ACTIVE', `shard: ${shard} is not there, or not active yet`);
  const { rows: open } = await tx.query<{ move_id: number }>(
    `SELECT m.move_id FROM shard_moves m WHERE m.workspace_id = $1 AND (m.state = 'moving' OR EXISTS (
       SELECT FROM shard_portions p WHERE p.move_id = m.move_id AND p.state IN ('left', 'cancelling'))) LIMIT 1`,
    [workspaceId],
  );
  if (open[0])
    throw new DomainError(
      'failed_precondition',
      'SHARD_MOVE_OPEN',
      `workspace: move ${open[0].move_id} is under way, or its old records are still there; see "catchment shards status"`,
    );
  // New series go there from now on, so that the move comes to an end.
  await assignWorkspace(tx, workspaceId, shard);
  const { rows } = await tx.query<{ move_id: number }>(
    `INSERT INTO shard_moves (workspace_id, owner_id, to_shard) VALUES ($1, $2, $3) RETURNING move_id`,
    [workspaceId, workspace.ownerId, shard],
  );
  return moveOf(tx, rows[0]?.move_id ?? 0);
}

async function moveOf(on: Queryable, moveId: number): Promise<Move> {
  const { rows } = await on.query<MoveRow>(`${MOVE} WHERE m.move_id = $1`, [moveId]);
  if (!rows[0]) throw notFound({ reference: `move ${moveId}` });
  return toMove(rows[0]);
}
