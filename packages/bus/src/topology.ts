import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';

const MIB = 1024 * 1024;
const NANOS_PER_MS = 1_000_000;
const DAY_MS = 86_400_000;

/**
 * Every stream of the platform, in one place.
 * INGEST and APPLIED keep a message until every reader has it (interest) and refuse new ones when full, so that nothing is
 * skipped silently; DOMAIN keeps a week for readers that were away.
 */
export const STREAMS = {
  /** The ingest log: one subject per partition. */
  INGEST: {
    subjects: ['ingest.*'],
    retention: RetentionPolicy.Interest,
    discard: DiscardPolicy.New,
    maxBytes: 2048 * MIB,
  },
  /** What has reached the store: one subject per partition. */
  APPLIED: {
    subjects: ['applied.*'],
    retention: RetentionPolicy.Interest,
    discard: DiscardPolicy.New,
    maxBytes: 512 * MIB,
  },
  /** Domain events: `<service>.<entity>.<past-tense>.v1`. */
  DOMAIN: {
    subjects: ['nodes.>', 'historic.>', 'alarms.>', 'devices.>', 'events.>'],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    maxBytes: 1024 * MIB,
    maxAgeMs: 7 * DAY_MS,
  },
  /** Messages that no retry could handle, kept for people. */
  DEADLETTER: {
    subjects: ['dead.>'],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    maxBytes: 256 * MIB,
    maxAgeMs: 30 * DAY_MS,
  },
} as const satisfies Record<string, StreamShape>;

export type StreamName = keyof typeof STREAMS;

type StreamShape = {
  readonly subjects: readonly string[];
  readonly retention: RetentionPolicy;
  readonly discard: DiscardPolicy;
  readonly maxBytes: number;
  readonly maxAgeMs?: number;
};

/** Readers with one durable consumer per partition, in strict order (design, item 3; how: partition-loop.ts). */
export const PARTITION_READERS = {
  // Nobody waits for these: what they do costs far less for many messages at once (bench/README.md).
  writer: { stream: 'INGEST', subject: 'ingest', gatherMs: 40 },
  alarms: { stream: 'INGEST', subject: 'ingest', gatherMs: 100 },
  nodes: { stream: 'APPLIED', subject: 'applied', gatherMs: 100 },
} as const;
export type PartitionReaderName = keyof typeof PARTITION_READERS;

/** Readers of DOMAIN. NATS 2.9 knows one filter per consumer, so a service has one for each family of subjects. */
export const DOMAIN_READERS = {
  'historic-nodes': 'nodes.node.*.v1',
  'alarms-nodes': 'nodes.node.*.v1',
  'alarms-ratings': 'historic.rating.settled.v1',
  'devices-nodes': 'nodes.node.*.v1',
  'events-nodes': 'nodes.node.deleted.v1',
  'events-recorded': 'events.event.recorded.v1',
  'nodes-alarms': 'alarms.*.changed.v1',
} as const;
export type DomainReaderName = keyof typeof DOMAIN_READERS;

/** A reader that has not answered within this time is taken for dead, and its message is given to another replica. */
export const ACK_WAIT_MS = 30_000;
/** In-flight messages of a partition reader; also the largest batch that its handler sees (each up to max_payload). */
export const PARTITION_BATCH = 16;
/** In-flight messages of a DOMAIN reader; also the largest batch that its handler sees. */
export const DOMAIN_BATCH = 100;
const DUPLICATE_WINDOW_MS = 120_000;
/** Test streams are many and small. */
const PREFIXED_MAX_BYTES = 32 * MIB;

export type Naming = { readonly prefix: string };

export const streamName = (naming: Naming, stream: StreamName): string =>
  naming.prefix ? `${naming.prefix}_${stream}` : stream;
export const subjectName = (naming: Naming, subject: string): string =>
  naming.prefix ? `${naming.prefix}.${subject}` : subject;
export const partitionConsumerName = (reader: PartitionReaderName, partition: number): string =>
  `${reader}-${partition}`;

/** The one object store: files of people (semantics 4.5), in pieces. What it may take is what the broker's disk leaves. */
export const objectBucket = (naming: Naming): string => (naming.prefix ? `${naming.prefix}_FILES` : 'FILES');
/** Streams of object stores are named so. */
export const OBJECT_STREAM = 'OBJ_';

/** Creates what is missing and brings the rest to this shape; safe to run by every process at every start. */
export async function ensureTopology(
  manager: JetStreamManager,
  options: Naming & { partitions: number; replicas: number; maxBytes?: Partial<Record<StreamName, number>> },
): Promise<void> {
  for (const [name, shape] of Object.entries(STREAMS) as [StreamName, StreamShape][]) {
    const config = {
      name: streamName(options, name),
      subjects: shape.subjects.map((subject) => subjectName(options, subject)),
      retention: shape.retention,
      discard: shape.discard,
      storage: StorageType.File,
      num_replicas: options.replicas,
      max_bytes: options.maxBytes?.[name] ?? (options.prefix ? PREFIXED_MAX_BYTES : shape.maxBytes),
      max_age: (shape.maxAgeMs ?? 0) * NANOS_PER_MS,
      duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS,
    };
    await ensureStream(manager, config);
  }
  await ensureStream(manager, bucketConfig(options));
  for (const [name, reader] of Object.entries(PARTITION_READERS) as [
    PartitionReaderName,
    (typeof PARTITION_READERS)[PartitionReaderName],
  ][]) {
    for (let partition = 0; partition < options.partitions; partition += 1) {
      await ensureConsumer(manager, options, reader.stream, {
        durable_name: partitionConsumerName(name, partition),
        filter_subject: subjectName(options, `${reader.subject}.${partition}`),
        max_ack_pending: PARTITION_BATCH,
      });
    }
  }
  for (const [name, filter] of Object.entries(DOMAIN_READERS)) {
    await ensureConsumer(manager, options, 'DOMAIN', {
      durable_name: name,
      filter_subject: subjectName(options, filter),
      max_ack_pending: DOMAIN_BATCH,
    });
  }
}

/** As the object store of NATS wants its stream; files are never dropped to make room for others. */
function bucketConfig(options: Naming & { replicas: number }) {
  const bucket = objectBucket(options);
  return {
    name: OBJECT_STREAM + bucket,
    subjects: [`$O.${bucket}.C.>`, `$O.${bucket}.M.>`],
    discard: DiscardPolicy.New,
    storage: StorageType.File,
    num_replicas: options.replicas,
    allow_direct: true,
    allow_rollup_hdrs: true,
    max_bytes: -1,
  };
}

async function ensureStream(manager: JetStreamManager, config: { readonly name: string } & Partial<StreamConfig>) {
  const exists = await manager.streams.info(config.name).then(
    () => true,
    () => false,
  );
  if (exists) await manager.streams.update(config.name, config);
  else await manager.streams.add(config);
}

async function ensureConsumer(
  manager: JetStreamManager,
  naming: Naming,
  stream: StreamName,
  config: { durable_name: string; filter_subject: string; max_ack_pending: number },
): Promise<void> {
  const name = streamName(naming, stream);
  const exists = await manager.consumers.info(name, config.durable_name).then(
    () => true,
    () => false,
  );
  if (exists) return void (await manager.consumers.update(name, config.durable_name, config));
  await manager.consumers.add(name, {
    ...config,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
    // Bounded retries are ours (dead letters); the server never gives up by itself, which would skip silently.
    max_deliver: -1,
  });
}
