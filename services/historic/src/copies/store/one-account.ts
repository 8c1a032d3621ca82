import type { Database } from '@catchment/pg';
import type { RecordStore } from '../../records/index.ts';

/** Marks the series of all other accounts as deleted, in the tables of a backup that are laid out for one: whatever comes for them is dropped. */
export async function leaveOthers(database: Database, ownerId: string): Promise<void> {
  await database.query(
    'INSERT INTO deleted_series (node_id) SELECT node_id FROM node_replica WHERE owner_id <> $1 ON CONFLICT DO NOTHING',
    [ownerId],
  );
}

/** Returns a store in which nothing of other accounts is removed: they may be in this installation too. */
export const ofAccount = (
  database: Database,
  ownerId: string,
  records: Pick<RecordStore, 'writeColumns' | 'deleteSeries'>,
): RecordStore => ({
  writeColumns: (columns, signal) => records.writeColumns(columns, signal),
  async deleteSeries(nodeIds, signal) {
    const { rows } = await database.query<{ node_id: string }>(
      'SELECT node_id FROM node_replica WHERE node_id = ANY($1::text[]) AND owner_id = $2',
      [nodeIds, ownerId],
    );
    const ofOwner = rows.map(({ node_id }) => node_id);
    if (ofOwner.length > 0) await records.deleteSeries(ofOwner, signal);
  },
});
