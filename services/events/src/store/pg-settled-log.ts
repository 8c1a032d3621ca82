import type { Database } from '@catchment/pg';
import type { SettledLog } from '../usecases/ports.ts';

/** Parts whose last one never came. */
const PARTS_KEPT = "interval '7 days'";

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
        columns.map((one) => one.sequence),
        columns.map((one) => one.entry),
        columns.map((one) => Buffer.from(one.written)),
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

  async stagePart({ columnKey, part, partition, sequence, data }) {
    await database.query(
      `INSERT INTO column_parts (column_key, part, partition, log_sequence, data) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      [columnKey, part, partition, sequence, Buffer.from(data)],
    );
  },

  async partsOf(columnKey) {
    const { rows } = await database.query<{ data: Buffer }>(
      'SELECT data FROM column_parts WHERE column_key = $1 ORDER BY part',
      [columnKey],
    );
    return rows.map(({ data }) => data);
  },

  async forget(partition, sequence) {
    await database.query(
      'DELETE FROM settled_columns WHERE partition = $1 AND log_sequence <= $2',
      [partition, sequence],
      'forget-settled',
    );
  },

  async purge() {
    const { rowCount } = await database.query(`DELETE FROM column_parts WHERE staged_at < now() - ${PARTS_KEPT}`);
    return rowCount;
  },
});
