import { ConfigError } from '@catchment/config';
import type { StreamInfo } from '@nats-io/jetstream';

/**
 * Compares the number of partitions with that of the log itself. With another number a service would write into partitions that nobody
 * reads.
 * @param ingest the log's stream
 * @throws ConfigError when they differ
 */
export function checkPartitions(ingest: StreamInfo, configured: number): void {
  const found = partitionsOf(ingest);
  if (found === configured) return;
  throw new ConfigError([
    `INGEST_PARTITIONS is ${configured}, but the ingest log of this installation has ${found} partitions and keeps them for life: set it to ${found} for every service`,
  ]);
}

/** Returns the partitions of the ingest log, which lists a subject for each. */
export const partitionsOf = ({ config }: StreamInfo): number => config.subjects.length;
