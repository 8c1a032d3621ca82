import type { Database } from '@catchment/pg';

/** One message of the ingest log; the digest tells it from another one of the same sequence in a stream made anew. */
export type MessageKey = { readonly partition: number; readonly sequence: number; readonly digest: Uint8Array };

/** What was in the store before a message, by the index of its entries (docs/reference/writing.md#write-modes; migrations/0002). */
export type WriteObservations = {
  of(message: MessageKey): Promise<Map<number, Uint8Array>>;
  /**
   * Keeps what was seen, unless somebody was earlier, and drops what older messages of the partition saw.
   * @returns what is kept now of these entries
   */
  keep(message: MessageKey, seen: ReadonlyMap<number, Uint8Array>): Promise<Map<number, Uint8Array>>;
};

export const pgWriteObservations = (database: Database): WriteObservations => {
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
        `WITH older AS (DELETE FROM write_observations WHERE partition = $1 AND log_sequence < $2)
         INSERT INTO write_observations AS known (partition, log_sequence, message_digest, entry, presence)
         SELECT $1, $2, $3, entry, presence FROM unnest($4::int[], $5::bytea[]) AS new (entry, presence)
         ON CONFLICT (partition, log_sequence, entry) DO UPDATE
         SET message_digest = excluded.message_digest, presence = excluded.presence
         WHERE known.message_digest <> excluded.message_digest`,
        [partition, sequence, Buffer.from(digest), [...seen.keys()], [...seen.values()].map((one) => Buffer.from(one))],
        'keep-write-observations',
      );
      return load(message);
    },
  };
};
