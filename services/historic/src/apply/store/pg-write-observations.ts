import type { Database } from '@catchment/pg';
import { DEFAULT_SHARD } from '../../records/index.ts';
import type { MessageKey, WriteObservations } from '../usecases/ports.ts';
import { NO_BACKUP } from './backup-holds.ts';

/** @param shard the shard of the writer: another writer may need what it has seen of an older message */
export const pgWriteObservations = (database: Database, shard = DEFAULT_SHARD): WriteObservations => {
  const load = async (partition: number, messages: readonly MessageKey[]) => {
    const { rows } = await database.query<{ message: number; entry: number; presence: Buffer }>(
      `SELECT message, entry, presence
       FROM unnest($2::bigint[], $3::bytea[]) WITH ORDINALITY AS wanted (log_sequence, message_digest, message)
       JOIN write_observations AS known USING (log_sequence, message_digest)
       WHERE known.partition = $1`,
      [partition, messages.map(({ sequence }) => sequence), messages.map(({ digest }) => Buffer.from(digest))],
      'write-observations',
    );
    const findings = messages.map(() => new Map<number, Uint8Array>());
    for (const { message, entry, presence } of rows) findings[message - 1]?.set(entry, presence);
    return findings;
  };
  return {
    of: load,
    async keep(partition, findings, unfinishedFrom) {
      const rows = findings.flatMap(({ key, seen }) =>
        [...seen].map(([entry, presence]) => ({ key, entry, presence: Buffer.from(presence) })),
      );
      await database.query(
        `WITH older AS (DELETE FROM write_observations WHERE partition = $1 AND log_sequence < $2 AND shard = $7 AND ${NO_BACKUP})
         INSERT INTO write_observations AS known (partition, log_sequence, message_digest, entry, presence, shard)
         SELECT $1, log_sequence, message_digest, entry, presence, $7
         FROM unnest($3::bigint[], $4::bytea[], $5::int[], $6::bytea[]) AS new (log_sequence, message_digest, entry, presence)
         ON CONFLICT (partition, log_sequence, entry) DO UPDATE
         SET message_digest = excluded.message_digest, presence = excluded.presence
         WHERE known.message_digest <> excluded.message_digest`,
        [
          partition,
          unfinishedFrom,
          rows.map(({ key }) => key.sequence),
          rows.map(({ key }) => Buffer.from(key.digest)),
          rows.map(({ entry }) => entry),
          rows.map(({ presence }) => presence),
          shard,
        ],
        'keep-write-observations',
      );
      return load(
        partition,
        findings.map(({ key }) => key),
      );
    },
  };
};
