import { type Database, deleteInBatches } from '@catchment/pg';

/** The bus keeps domain messages for a week: after this time nothing of a deleted node can come any more. */
const KEPT_DAYS = 30;
const IS_OLD = `deleted_time < now() - interval '${KEPT_DAYS} days'`;

/**
 * Purges what tells of nodes that were deleted long ago.
 * @param backlog messages of the ingest log that the writer has not stored yet: while there are any, one of them may need it
 */
export async function purgeTombstones(database: Database, backlog: () => Promise<number>): Promise<void> {
  // Marked by a version that noted no time.
  await database.query('UPDATE catalogue SET deleted_time = now() WHERE is_deleted AND deleted_time IS NULL');
  if ((await backlog()) > 0) return;
  await deleteInBatches(database, 'deleted_series', IS_OLD);
  await deleteInBatches(database, 'catalogue', `is_deleted AND ${IS_OLD}`);
}
