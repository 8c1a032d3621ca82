import { purgeDeleted } from '@catchment/node-replica';
import { type Database, deleteInBatches } from '@catchment/pg';

/** The bus keeps domain messages for a week: after this time nothing of a deleted node can come any more. */
const KEPT_DAYS = 30;

/**
 * Purges the markers of nodes that were deleted long ago.
 * @param backlog messages of the ingest log that the writer has not stored yet: while there are any, one of them may need it
 */
export async function purgeTombstones(database: Database, backlog: () => Promise<number>): Promise<void> {
  if ((await backlog()) > 0) return;
  // Nodes that cannot have records are not among the deleted series, and a move takes them along as well.
  for (const [table, id] of [
    ['series_shards', 'node_id'],
    ['workspace_shards', 'workspace_id'],
  ])
    await database.query(
      `DELETE FROM ${table} WHERE ${id} IN
         (SELECT node_id FROM deleted_series WHERE deleted_time < now() - make_interval(days => $1)
          UNION ALL SELECT node_id FROM node_replica WHERE deleted_time < now() - make_interval(days => $1))`,
      [KEPT_DAYS],
    );
  await deleteInBatches(database, 'deleted_series', 'deleted_time < now() - make_interval(days => $1)', [KEPT_DAYS]);
  await purgeDeleted(database, Date.now());
}
