import { ConfigError } from '@catchment/config';
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';

/** A consumer that each partition of the ingest log has. */
const CONSUMER = /^writer-(\d+)$/;

/**
 * Compares the number of partitions with that of the log itself, which lists a subject for each. With another number a service
 * would write into partitions that nobody reads.
 * @param ingest the log's stream
 * @throws ConfigError when they differ
 */
export async function checkPartitions(
  manager: JetStreamManager,
  ingest: StreamInfo,
  configured: number,
): Promise<void> {
  const found = await partitionsOf(manager, ingest);
  if (found === undefined || found === configured) return;
  throw new ConfigError([
    `INGEST_PARTITIONS is ${configured}, but the ingest log of this installation has ${found} partitions and keeps them for life: set it to ${found} for every service`,
  ]);
}

/** @returns undefined where the log does not show it */
export async function partitionsOf(manager: JetStreamManager, { config }: StreamInfo): Promise<number | undefined> {
  if (!config.subjects.some((subject) => subject.endsWith('*'))) return config.subjects.length;
  // Made before subjects were listed. Where services had different numbers, the largest one has all that was written.
  let found: number | undefined;
  for await (const { name } of manager.consumers.list(config.name)) {
    const partition = CONSUMER.exec(name)?.[1];
    if (partition !== undefined) found = Math.max(found ?? 0, Number(partition) + 1);
  }
  return found;
}
