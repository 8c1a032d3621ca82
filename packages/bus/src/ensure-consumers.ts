import { AckPolicy, DeliverPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { ACK_WAIT_MS, type Consumer, consumersOf, requiredConsumers } from './consumers.ts';
import { type Naming, streamName } from './naming.ts';
import { noConsumer } from './no-consumer.ts';
import { OPTIONAL_READERS, type OptionalReaderName, type PartitionReaderName } from './readers.ts';
import type { StreamName } from './streams.ts';

/**
 * Creates a consumer of a stream, as the broker names both, that every installation has; one that is there is brought to its shape.
 * @returns false for any other one
 */
export async function ensureRequired(
  manager: JetStreamManager,
  options: Naming & { partitions: number },
  stream: string,
  consumer: string,
): Promise<boolean> {
  const wanted = requiredConsumers(options).find(
    ([of, { durable_name }]) => streamName(options, of) === stream && durable_name === consumer,
  );
  if (wanted) await ensureConsumer(manager, options, ...wanted);
  return wanted !== undefined;
}

/** Creates the consumers of the optional readers that are wanted, and removes those of the others. */
export async function keepOptional(
  manager: JetStreamManager,
  options: Naming & { partitions: number },
  wanted: readonly OptionalReaderName[],
): Promise<void> {
  for (const reader of OPTIONAL_READERS)
    for (const consumer of consumersOf(options, reader)) {
      if (wanted.includes(reader)) await ensureConsumer(manager, options, ...consumer);
      else await removeConsumer(manager, streamName(options, consumer[0]), consumer[1].durable_name);
    }
}

/** Creates the consumers of parts of a reader: they see all that the log has from now on, and what others have not finished. */
export async function ensureParts(
  manager: JetStreamManager,
  options: Naming & { partitions: number },
  reader: PartitionReaderName,
  parts: readonly string[],
): Promise<void> {
  for (const part of parts)
    for (const consumer of consumersOf(options, reader, part)) await ensureConsumer(manager, options, ...consumer);
}

/** Removes the consumers of a part of a reader. */
export async function removePart(
  manager: JetStreamManager,
  options: Naming & { partitions: number },
  reader: PartitionReaderName,
  part: string,
): Promise<void> {
  for (const [stream, { durable_name }] of consumersOf(options, reader, part))
    await removeConsumer(manager, streamName(options, stream), durable_name);
}

async function removeConsumer(manager: JetStreamManager, stream: string, consumer: string): Promise<void> {
  await manager.consumers.delete(stream, consumer).catch(noConsumer);
}

export async function ensureConsumer(
  manager: JetStreamManager,
  naming: Naming,
  stream: StreamName,
  config: Consumer[1],
): Promise<void> {
  const name = streamName(naming, stream);
  const exists = await manager.consumers.info(name, config.durable_name).catch(noConsumer);
  // A consumer that exists keeps its beginning: one that came from a backup has another.
  const { deliver_policy: _begin, ...changes } = config;
  if (exists) return void (await manager.consumers.update(name, config.durable_name, changes));
  await manager.consumers.add(name, {
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    ...config,
    // Bounded retries are ours (dead letters); the server never gives up by itself, which would skip silently.
    max_deliver: -1,
  });
}
