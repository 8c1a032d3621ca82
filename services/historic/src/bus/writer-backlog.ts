import type { Bus } from '@catchment/bus';
import { DEFAULT_SHARD } from '../domain/shard-places.ts';

/** Durable consumers of writers: `writer-<partition>`, or `writer-<shard>-<partition>`. */
const WRITER = /^writer(?:-([a-z][a-z0-9]*))?-\d+$/;

/**
 * Messages of the ingest log that are not in the store yet, over all partitions.
 * @param shards of their writers only
 */
export async function writerBacklog(bus: Pick<Bus, 'lag'>, shards?: ReadonlySet<string>): Promise<number> {
  let sum = 0;
  for (const [name, lag] of Object.entries(await bus.lag('INGEST'))) {
    const writer = WRITER.exec(name);
    if (writer && (!shards || shards.has(writer[1] ?? DEFAULT_SHARD))) sum += lag;
  }
  return sum;
}
