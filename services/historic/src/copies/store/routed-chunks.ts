import type { RecordChunk } from '@catchment/contracts/copies';
import { DomainError } from '@catchment/errors';
import type { Database } from '@catchment/pg';
import { DEFAULT_SHARD } from '../../records/index.ts';
import type { ShardRouter } from '../../shards/index.ts';
import type { CopiedSeries } from '../domain/record-chunk.ts';
import { type ChunkOptions, chunksOf } from './influx-chunks.ts';

/**
 * Yields the records of a series from the InfluxDB that has it at the beginning. When the series moves meanwhile, its old records are read
 * on: they stay as long as a backup is made.
 * @throws DomainError failed_precondition, at the end, where they were removed all the same: by a replica of a version that knows no
 * backups, or since the backup held nothing any more
 */
export async function* routedChunks(
  database: Database,
  router: ShardRouter,
  series: CopiedSeries,
  options: ChunkOptions,
): AsyncGenerator<RecordChunk> {
  const { nodeId } = series;
  const { retry = (work) => work() } = options;
  const shardOf = async () => (await retry(() => router.shardsOf([nodeId]))).get(nodeId) ?? DEFAULT_SHARD;
  const shard = await shardOf();
  yield* chunksOf(router.store(shard).connection, series, options);
  if ((await shardOf()) === shard) return;
  // Whoever removes records holds these rows until they say so.
  const { rows } = await retry(() =>
    database.query(
      `SELECT FROM shard_portions p JOIN portion_series USING (portion_id)
       WHERE node_id = $1 AND from_shard = $2 AND state = 'left' AND NOT is_removed LIMIT 1 FOR SHARE`,
      [nodeId, shard],
    ),
  );
  if (rows.length > 0) return;
  throw new DomainError(
    'failed_precondition',
    'SERIES_MOVED',
    `Series ${nodeId} was moved from the InfluxDB ${shard} while it was read, and its records there were removed: make the backup again`,
  );
}
