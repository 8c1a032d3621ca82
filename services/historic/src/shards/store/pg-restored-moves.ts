import type { Database } from '@catchment/pg';

/**
 * Cancels the moves that were under way in a backup, as a person would, since what was copied already is not in the backup. This is called
 * when the map of the backup is in place, and before records are. Records are written where the map has them.
 */
export const cancelRestoredMoves = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.query(`UPDATE shard_moves SET state = 'cancelled', ended_time = now() WHERE state = 'moving'`);
    await tx.query(`UPDATE shard_portions SET state = 'cancelling' WHERE state IN ('preparing', 'copying', 'cutting')`);
  });
