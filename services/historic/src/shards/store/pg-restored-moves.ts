import type { Database } from '@catchment/pg';

/**
 * To be called when the map of a backup is in place, before records are: moves that were under way are cancelled, as a person would, since
 * what was copied already is not in the backup. Records are written where the map has them.
 */
export const cancelRestoredMoves = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.query(`UPDATE shard_moves SET state = 'cancelled', ended_time = now() WHERE state = 'moving'`);
    await tx.query(`UPDATE shard_portions SET state = 'cancelling' WHERE state IN ('preparing', 'copying', 'cutting')`);
  });
