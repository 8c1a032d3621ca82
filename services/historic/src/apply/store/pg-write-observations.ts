import type { Database } from '@catchment/pg';
import { DEFAULT_SHARD } from '../../records/index.ts';
import type { MessageKey, WriteObservations } from '../usecases/ports.ts';
import { NO_BACKUP } from './backup-holds.ts';

/** @param shard whose writer it is: another one may need what it has seen of an older message */
export const pgWriteObservations = (database: Database, shard = DEFAULT_SHARD): WriteObservations => {
  const load = async ({ partition, sequence, digest }: MessageKey) => {
    const { rows } = await database.query<{ entry: number; presence: Buffer }>(
      `SELECT entry, presence FROM write_observations
       WHERE partition = $1 AND log_sequence = $2 AND message_digest = $3`,
      [partition, sequence, Buffer.from(digest)],
      'write-observations',
    );
    return new Map<number, Uint8Array>(rows.map(({ entry, presence }) => [entry, presence]));
  };
  return {
    of: load,
    async keep(message, seen) {
      const { partition, sequence, digest } = message;
      await database.query(
        `WITH older AS (DELETE FROM write_observations WHERE partition = $1 AND log_sequence < $2 AND shard = $6 AND ${NO_BACKUP})
         INSERT INTO write_observations AS known (partition, log_sequence, message_digest, entry, presence, shard)
         SELECT $1, $2, $3, entry, presence, $6 FROM unnest($4::int[], $5::bytea[]) AS new (entry, presence)
         ON CONFLICT (partition, log_sequence, entry) DO UPDATE
         SET message_digest = excluded.message_digest, presence = excluded.presence
         WHERE known.message_digest <> excluded.message_digest`,
        [
          partition,
          sequence,
          Buffer.from(digest),
          [...seen.keys()],
          [...seen.values()].map((one) => Buffer.from(one)),
          shard,
        ],
        'keep-write-observations',
      );
      return load(message);
    },
  };
};
