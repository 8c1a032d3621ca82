import type { Database } from '@catchment/pg';
import type { SettledLog } from '../usecases/ports.ts';

/** Parts of columns are large, and needed until their last one is sent; what else is kept is small, and lives as long as dead letters. */
const KEPT = { column_parts: "interval '7 days'", settled_columns: "interval '30 days'" } as const;

export const pgSettledLog = (database: Database): SettledLog => ({
  async settle(partition, sequence, columns) {
    await database.query(
      `WITH kept AS (
         INSERT INTO settled_columns (partition, log_sequence, entry, written)
         SELECT $1, * FROM unnest($3::bigint[], $4::int[], $5::bytea[]) ON CONFLICT DO NOTHING)
       INSERT INTO settled_partitions AS known (partition, log_sequence) VALUES ($1, $2)
       ON CONFLICT (partition) DO UPDATE SET log_sequence = greatest(known.log_sequence, excluded.log_sequence)`,
      [
        partition,
        sequence,
        columns.map((column) => column.sequence),
        columns.map((column) => column.entry),
        columns.map((column) => Buffer.from(column.written)),
      ],
      'settle-log',
    );
  },

  async upTo(partition) {
    const { rows } = await database.query<{ log_sequence: number }>(
      'SELECT log_sequence FROM settled_partitions WHERE partition = $1',
      [partition],
      'settled-up-to',
    );
    return rows[0]?.log_sequence ?? 0;
  },

  async verdicts(partition, sequence) {
    const { rows } = await database.query<{ entry: number; written: Buffer }>(
      'SELECT entry, written FROM settled_columns WHERE partition = $1 AND log_sequence = $2',
      [partition, sequence],
    );
    return new Map(rows.map(({ entry, written }) => [entry, written]));
  },

  async stagePart({ columnKey, part, partition, data }) {
    await database.query(
      'INSERT INTO column_parts (column_key, part, partition, data) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [columnKey, part, partition, Buffer.from(data)],
    );
  },

  async partsOf(columnKey) {
    const { rows } = await database.query<{ data: Buffer }>(
      'SELECT data FROM column_parts WHERE column_key = $1 ORDER BY part',
      [columnKey],
    );
    return rows.map(({ data }) => data);
  },

  async forget(partition, sequences) {
    await database.query(
      'DELETE FROM settled_columns WHERE partition = $1 AND log_sequence = ANY($2::bigint[])',
      [partition, sequences],
      'forget-settled',
    );
  },

  async purge() {
    for (const [table, age] of Object.entries(KEPT))
      await database.query(`DELETE FROM ${table} WHERE kept_at < now() - ${age}`);
  },
});
