import { type Bus, partitionConsumerOf } from '@catchment/bus';
import { DEFAULT_SHARD } from '../../records/index.ts';

/**
 * Messages of the ingest log that are not in the store yet, over all partitions.
 * @param shards of their writers only
 */
export async function writerBacklog(bus: Pick<Bus, 'lag'>, shards?: ReadonlySet<string>): Promise<number> {
  let sum = 0;
  for (const [shard, lag] of await backlogOfShards(bus)) if (!shards || shards.has(shard)) sum += lag;
  return sum;
}

/** Returns the backlog of each shard, also of shards that are only missing in the settings. */
export async function backlogOfShards(bus: Pick<Bus, 'lag'>): Promise<Map<string, number>> {
  const backlogs = new Map<string, number>();
  for (const [name, lag] of Object.entries(await bus.lag('INGEST'))) {
    const consumer = partitionConsumerOf(name);
    if (consumer?.reader !== 'writer') continue;
    const shard = consumer.part ?? DEFAULT_SHARD;
    backlogs.set(shard, (backlogs.get(shard) ?? 0) + lag);
  }
  return backlogs;
}
