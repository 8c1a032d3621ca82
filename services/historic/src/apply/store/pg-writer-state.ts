import type { Database } from '@catchment/pg';
import { DEFAULT_SHARD } from '../../records/index.ts';
import type { WriterState } from '../usecases/ports.ts';
import { NO_BACKUP } from './backup-holds.ts';

/** @param shard the shard of the writer: parts of columns belong to the writer that put them aside, and joins them */
export const pgWriterState = (database: Database, shard = DEFAULT_SHARD): WriterState => ({
  async deletedAmong(nodeIds) {
    const { rows } = await database.query<{ node_id: string }>(
      'SELECT node_id FROM deleted_series WHERE node_id = ANY($1::text[])',
      [nodeIds],
      'deleted-among',
    );
    return new Set(rows.map((row) => row.node_id));
  },

  async rememberDeleted(nodeIds) {
    await database.query(
      'INSERT INTO deleted_series (node_id) SELECT DISTINCT unnest($1::text[]) ON CONFLICT DO NOTHING',
      [nodeIds],
      'remember-deleted',
    );
  },

  async stagePart({ columnKey, part, partition, data }) {
    await database.query(
      `INSERT INTO column_parts (column_key, part, partition, data, shard) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (column_key, part) DO NOTHING`,
      [columnKey, part, partition, Buffer.from(data), shard],
      'stage-part',
    );
  },

  async partsOf(columnKey) {
    const { rows } = await database.query<{ data: Buffer }>(
      'SELECT data FROM column_parts WHERE column_key = $1 ORDER BY part',
      [columnKey],
    );
    return rows.map((row) => row.data);
  },

  async markCompleted(columnKey, sequence) {
    await database.query('UPDATE column_parts SET completed_by = $2, shard = $3 WHERE column_key = $1', [
      columnKey,
      sequence,
      shard,
    ]);
  },

  async dropFinished(partition, sequence) {
    await database.query(
      `DELETE FROM column_parts
       WHERE partition = $1 AND shard = $3 AND ${NO_BACKUP} AND (completed_by < $2 OR (completed_by IS NULL AND staged_time < now() - interval '1 day'))`,
      [partition, sequence, shard],
    );
  },
});
