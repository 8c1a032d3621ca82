import { type ConsumerConfig, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type Naming, subjectName } from './naming.ts';
import {
  BEGIN_NEW,
  DOMAIN_READERS,
  type DomainReaderName,
  isOptional,
  OPTIONAL_READERS,
  PARTITION_READERS,
  type PartitionReaderName,
  partitionConsumerName,
  partsIn,
  QUEUE_READERS,
} from './readers.ts';
import type { StreamName } from './streams.ts';

/** A reader that has not answered within this time is taken for dead, and its message is given to another replica. */
export const ACK_WAIT_MS = 30_000;
/** In-flight messages of a partition reader; also the largest batch that its handler sees (each up to max_payload). */
export const PARTITION_BATCH = 16;
/** In-flight messages of a DOMAIN reader; also the largest batch that its handler sees. */
export const DOMAIN_BATCH = 100;
/** Many of them at once cost far less; one that comes after a quiet moment is handled at once. */
export const DOMAIN_GATHER_MS = 50;
/** Messages of a queue reader that are handled at once, at most. */
export const QUEUE_BATCH = 10;
/** Longer than a mail server that answers slowly takes. */
export const QUEUE_ACK_WAIT_MS = 120_000;
/** Messages of a queue reader that wait for their next try, at most: beyond it new ones wait too, and nothing is lost. */
const QUEUE_WAITING = 10_000;

export type Consumer = readonly [
  StreamName,
  Pick<ConsumerConfig, 'filter_subject' | 'max_ack_pending'> & ConsumerChoices,
];
type ConsumerChoices = { durable_name: string; ack_wait?: number; deliver_policy?: DeliverPolicy };

/**
 * Returns the durable consumers that every installation has, with their streams.
 * @param parts of the writer, which have consumers besides
 */
export function requiredConsumers(options: Naming & { partitions: number }, parts: readonly string[] = []): Consumer[] {
  const readers = [...Object.keys(PARTITION_READERS), ...Object.keys(DOMAIN_READERS)];
  const queues = Object.entries(QUEUE_READERS).map(
    ([name, filter]): Consumer => [
      'NOTIFICATIONS',
      {
        durable_name: name,
        filter_subject: subjectName(options, filter),
        max_ack_pending: QUEUE_WAITING,
        ack_wait: nanos(QUEUE_ACK_WAIT_MS),
      },
    ],
  );
  return [
    ...readers.filter((name) => !isOptional(name)).flatMap((reader) => consumersOf(options, reader)),
    ...parts.flatMap((part) => consumersOf(options, 'writer', part)),
    ...queues,
  ];
}

/** Returns the durable consumers of a stream that this version knows, among those of these names: also of optional readers and of parts. */
export function namedConsumers(
  options: Naming & { partitions: number },
  stream: StreamName,
  names: readonly string[],
): Consumer[1][] {
  const known = [
    ...requiredConsumers(options, partsIn(names)),
    ...OPTIONAL_READERS.flatMap((reader) => consumersOf(options, reader)),
  ];
  return known.flatMap(([of, config]) => (of === stream && names.includes(config.durable_name) ? [config] : []));
}

/** Returns the durable consumers of a reader of partitions or of DOMAIN, with their stream. */
export function consumersOf(
  { partitions, ...naming }: Naming & { partitions: number },
  reader: string,
  part?: string,
): Consumer[] {
  const begin = BEGIN_NEW.includes(reader) ? { deliver_policy: DeliverPolicy.New } : {};
  if (reader in DOMAIN_READERS) {
    const filter_subject = subjectName(naming, DOMAIN_READERS[reader as DomainReaderName]);
    return [['DOMAIN', { durable_name: reader, filter_subject, max_ack_pending: DOMAIN_BATCH, ...begin }]];
  }
  const name = reader as PartitionReaderName;
  const { stream, subject } = PARTITION_READERS[name];
  return Array.from({ length: partitions }, (_, partition) => [
    stream,
    {
      durable_name: partitionConsumerName(name, partition, part),
      filter_subject: subjectName(naming, `${subject}.${partition}`),
      max_ack_pending: PARTITION_BATCH,
      ...begin,
    },
  ]);
}
