import { inParallel } from '@catchment/fair-queue';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { checkPartitions } from './check-partitions.ts';
import { requiredConsumers } from './consumers.ts';
import { ensureConsumer } from './ensure-consumers.ts';
import { bucketConfig, streamConfigs, type TopologyOptions } from './stream-configs.ts';
import type { StreamName } from './streams.ts';

/**
 * Questions to the broker at the same time: while a server of a cluster is away, a new consumer waits some seconds for an election, and those
 * of an installation one after the other would wait for minutes.
 */
export const ASKED_AT_ONCE = 16;

/**
 * Creates missing streams and consumers and updates the others; safe to run by every process at every start.
 * @returns streams that keep their limit for now: they hold more than they are to have
 * @throws ConfigError when the installation has another number of partitions
 */
export async function ensureTopology(manager: JetStreamManager, options: TopologyOptions): Promise<StreamName[]> {
  const kept = await ensureStreams(manager, options);
  await inParallel(requiredConsumers(options), { atOnce: ASKED_AT_ONCE }, (consumer) =>
    ensureConsumer(manager, options, ...consumer),
  );
  return kept;
}

/** The streams alone, without readers. @returns and @throws as `ensureTopology` */
export async function ensureStreams(manager: JetStreamManager, options: TopologyOptions): Promise<StreamName[]> {
  const { partitions } = options;
  const kept: StreamName[] = [];
  for (const [name, config] of streamConfigs(options))
    await ensureStream(manager, config, async (found) => {
      if (name === 'INGEST') checkPartitions(found, partitions);
      if (options.maxBytes === undefined) return found.config.max_bytes;
      // Stored messages wait for a reader: the broker must neither drop them nor refuse all new ones at once.
      const isOver = config.discard === DiscardPolicy.New && found.state.bytes > config.max_bytes;
      if (!isOver) return config.max_bytes;
      kept.push(name);
      return found.config.max_bytes;
    });
  await ensureStream(manager, bucketConfig(options));
  return kept;
}

/** @param limitOf sees one that exists before it is changed, and says its limit in bytes */
async function ensureStream(
  manager: JetStreamManager,
  config: Pick<StreamConfig, 'name' | 'max_bytes'> & Partial<StreamConfig>,
  limitOf: (found: StreamInfo) => Promise<number> = async () => config.max_bytes,
): Promise<void> {
  let found = await infoOf(manager, config.name);
  if (!found) {
    try {
      return void (await manager.streams.add(config));
    } catch (error) {
      // Another service may have made it meanwhile.
      found = await infoOf(manager, config.name);
      if (!found) throw error;
    }
  }
  await manager.streams.update(config.name, { ...config, max_bytes: await limitOf(found) });
}

/** @returns undefined where there is none */
async function infoOf(manager: JetStreamManager, stream: string): Promise<StreamInfo | undefined> {
  return manager.streams.info(stream).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  });
}
