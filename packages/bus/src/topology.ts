import { inParallel } from '@catchment/fair-queue';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { checkPartitions } from './check-partitions.ts';

const MIB = 1024 * 1024;
const NANOS_PER_MS = 1_000_000;
const DAY_MS = 86_400_000;

/**
 * Lists every stream of the platform in one place. INGEST and APPLIED keep a message until every reader has it (interest) and refuse new
 * ones when full, so that nothing is skipped silently; DOMAIN keeps a week for readers that were away.
 */
export const STREAMS = {
  /** The ingest log has one subject per partition. */
  INGEST: {
    partitioned: 'ingest',
    subjects: [],
    retention: RetentionPolicy.Interest,
    discard: DiscardPolicy.New,
    maxBytes: 2048 * MIB,
  },
  /** Announcements of stored records: one subject per partition. */
  APPLIED: {
    partitioned: 'applied',
    subjects: [],
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
  /** Notifications for people: each stays until it is sent or given up. */
  NOTIFICATIONS: {
    subjects: ['notifications.>'],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    maxBytes: 256 * MIB,
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
  /** First token of its subjects, the number of a partition is the second. They are listed: they say how many there are. */
  readonly partitioned?: string;
  readonly subjects: readonly string[];
  readonly retention: RetentionPolicy;
  readonly discard: DiscardPolicy;
  readonly maxBytes: number;
  readonly maxAgeMs?: number;
};

/**
 * Readers with one durable consumer per partition, in strict order (docs/reference/guarantees.md#order-and-repetition; how:
 * partition-loop.ts).
 */
export const PARTITION_READERS = {
  // No request waits for these: their work costs far less for many messages at once (bench/README.md).
  writer: { stream: 'INGEST', subject: 'ingest', gatherMs: 40 },
  alarms: { stream: 'INGEST', subject: 'ingest', gatherMs: 100 },
  nodes: { stream: 'APPLIED', subject: 'applied', gatherMs: 100 },
  'alarms-applied': { stream: 'APPLIED', subject: 'applied', gatherMs: 100 },
  'events-settled': { stream: 'APPLIED', subject: 'applied', gatherMs: 100 },
  'events-records': { stream: 'INGEST', subject: 'ingest', gatherMs: 100 },
  processing: { stream: 'APPLIED', subject: 'applied', gatherMs: 100 },
  'processing-ratings': { stream: 'APPLIED', subject: 'applied', gatherMs: 100 },
} as const;
export type PartitionReaderName = keyof typeof PARTITION_READERS;

/** Readers that pods of the version before still make: nothing is reported of them. The release after that deletes them. */
export const GONE_READERS: ReadonlySet<string> = new Set(['alarms-ratings', 'processing-handed']);

/** Readers of DOMAIN. NATS 2.9 knows one filter per consumer, so a service has one for each family of subjects. */
export const DOMAIN_READERS = {
  'historic-nodes': 'nodes.node.*.v1',
  'alarms-nodes': 'nodes.node.*.v1',
  'alarms-attempts': 'alarms.attempt.ended.v1',
  'alarms-recomputed': 'historic.series.recomputed.v1',
  'devices-nodes': 'nodes.node.*.v1',
  'devices-controls': 'nodes.control.changed.v1',
  'events-accounts': 'nodes.account.changed.v1',
  'events-nodes': 'nodes.node.deleted.v1',
  'events-recorded': 'events.event.recorded.v1',
  'events-alarms': 'alarms.*.changed.v1',
  'nodes-alarms': 'alarms.*.changed.v1',
  'processing-accounts': 'nodes.account.changed.v1',
  'processing-nodes': 'nodes.node.*.v1',
  'processing-recomputed': 'historic.series.recomputed.v1',
  'processing-rating-nodes': 'nodes.node.*.v1',
  'nodes-transitions': 'events.event.recorded.v1',
  'nodes-devices': 'devices.*.*.v1',
} as const;
export type DomainReaderName = keyof typeof DOMAIN_READERS;

/**
 * Readers that are there where somebody wants them (`Bus.keepOptional`): a log keeps its messages until all of its readers have them.
 * In the order in which they are made.
 */
export const OPTIONAL_READERS = ['events-settled', 'events-records', 'events-alarms'] as const satisfies (
  | DomainReaderName
  | PartitionReaderName
)[];
export type OptionalReaderName = (typeof OPTIONAL_READERS)[number];
const isOptional = (reader: string): reader is OptionalReaderName =>
  OPTIONAL_READERS.some((optionalReader) => optionalReader === reader);
/** True for the durable consumer of an optional reader. */
export const isOptionalConsumer = (consumer: string): boolean => isOptional(consumer.replace(/-\d+$/, ''));

/** Readers that begin with what comes after them: an installation that gets one by an update sends nothing about its past. */
const BEGIN_NEW: readonly string[] = ['nodes-transitions', ...OPTIONAL_READERS] satisfies (
  | DomainReaderName
  | PartitionReaderName
)[];

/** Readers of NOTIFICATIONS: each message is handled alone, some at once, in no order. */
export const QUEUE_READERS = {
  'nodes-emails': 'notifications.email.due.v1',
  'nodes-sms': 'notifications.sms.due.v1',
  'nodes-texts': 'notifications.text.due.v1',
  'nodes-calls': 'notifications.call.due.v1',
  'nodes-reports': 'notifications.report.due.v1',
} as const;
export type QueueReaderName = keyof typeof QUEUE_READERS;

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
const DUPLICATE_WINDOW_MS = 120_000;
/**
 * Questions to the broker at the same time: while a server of a cluster is away, a new consumer waits some seconds for an election, and those
 * of an installation one after the other would wait for minutes.
 */
export const ASKED_AT_ONCE = 16;
/** Test streams are many and small. */
const PREFIXED_MAX_BYTES = 32 * MIB;

export type Naming = { readonly prefix: string };

export const streamName = (naming: Naming, stream: StreamName): string =>
  naming.prefix ? `${naming.prefix}_${stream}` : stream;
export const subjectName = (naming: Naming, subject: string): string =>
  naming.prefix ? `${naming.prefix}.${subject}` : subject;
/** @param part of a reader that has several, each with consumers of its own: a shard of the writer */
export const partitionConsumerName = (reader: PartitionReaderName, partition: number, part?: string): string =>
  part === undefined ? `${reader}-${partition}` : `${reader}-${part}-${partition}`;

type PartitionConsumer = {
  readonly reader: PartitionReaderName;
  /** The part, for a reader that has several. */
  readonly part?: string;
  readonly partition: number;
};

/** Reads a name that `partitionConsumerName` has made; undefined for a durable consumer that belongs to no reader of partitions. */
export function partitionConsumerOf(consumer: string): PartitionConsumer | undefined {
  const [, name = '', digits = ''] = /^(.+)-(\d+)$/.exec(consumer) ?? [];
  const partition = Number(digits);
  if (Object.hasOwn(PARTITION_READERS, name)) return { reader: name as PartitionReaderName, partition };
  const [, part] = /^writer-([a-z][a-z0-9]*)$/.exec(name) ?? [];
  return part === undefined ? undefined : { reader: 'writer', part, partition };
}

function subjectsOf(shape: StreamShape, partitions: number): string[] {
  const { partitioned } = shape;
  if (partitioned === undefined) return [...shape.subjects];
  return Array.from({ length: partitions }, (_, partition) => `${partitioned}.${partition}`);
}

/** True where a stream of ours takes messages of this subject (without the installation's prefix). */
export function isSubject(subject: string): boolean {
  const [first = '', ...others] = subject.split('.');
  const isPlain = others.length > 0 && others.every((token) => token !== '' && token !== '*' && token !== '>');
  return (
    isPlain &&
    Object.values(STREAMS).some((shape: StreamShape) =>
      subjectsOf(shape, 1).some((subject) => subject.startsWith(`${first}.`)),
    )
  );
}

/** The stream of ours that takes a subject (without the installation's prefix). */
export function streamOfSubject(subject: string): StreamName {
  const first = `${subject.split('.')[0]}.`;
  const streams = Object.entries(STREAMS) as [StreamName, StreamShape][];
  return (
    streams.find(([, shape]) => subjectsOf(shape, 1).some((subject) => subject.startsWith(first)))?.[0] ?? 'DOMAIN'
  );
}

/** The one object store: files of people (docs/reference/attachments.md), in pieces. Its limit is the free disk of the broker. */
export const objectBucket = (naming: Naming): string => (naming.prefix ? `${naming.prefix}_FILES` : 'FILES');
/** Streams of object stores are named so. */
export const OBJECT_STREAM = 'OBJ_';

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

/** Lists the subjects of a stream, without the installation's prefix. */
export const subjectsOfStream = (stream: StreamName, partitions: number): string[] =>
  subjectsOf(STREAMS[stream], partitions);

/** The durable consumers of a stream that this version knows, among those of these names: also of optional readers and of parts. */
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

/** Parts of the writer among durable consumers of these names. */
export const partsIn = (names: Iterable<string>): string[] => [
  ...new Set([...names].flatMap((name) => partitionConsumerOf(name)?.part ?? [])),
];

type TopologyOptions = Naming & {
  readonly partitions: number;
  readonly replicas: number;
  /**
   * Limits of streams other than the usual ones. Absent: limits of streams that exist stay as they are, so that one service alone decides
   * them.
   */
  readonly maxBytes?: Partial<Record<StreamName, number>>;
};

/** Every stream as an installation has it, object stores apart. */
export const streamConfigs = (options: TopologyOptions): [StreamName, Expected][] =>
  (Object.entries(STREAMS) as [StreamName, StreamShape][]).map(([name, shape]) => [
    name,
    {
      name: streamName(options, name),
      subjects: subjectsOf(shape, options.partitions).map((subject) => subjectName(options, subject)),
      retention: shape.retention,
      discard: shape.discard,
      storage: StorageType.File,
      num_replicas: options.replicas,
      max_bytes: options.maxBytes?.[name] ?? (options.prefix ? PREFIXED_MAX_BYTES : shape.maxBytes),
      max_age: (shape.maxAgeMs ?? 0) * NANOS_PER_MS,
      duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS,
    },
  ]);
type Expected = Pick<StreamConfig, 'name' | 'subjects' | 'num_replicas' | 'max_bytes'> & Partial<StreamConfig>;

/**
 * The durable consumers that every installation has, with their streams.
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
        ack_wait: QUEUE_ACK_WAIT_MS * NANOS_PER_MS,
      },
    ],
  );
  return [
    ...readers.filter((name) => !isOptional(name)).flatMap((reader) => consumersOf(options, reader)),
    ...parts.flatMap((part) => consumersOf(options, 'writer', part)),
    ...queues,
  ];
}

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

type Consumer = readonly [StreamName, Pick<ConsumerConfig, 'filter_subject' | 'max_ack_pending'> & ConsumerChoices];
type ConsumerChoices = { durable_name: string; ack_wait?: number; deliver_policy?: DeliverPolicy };

/** The durable consumers of a reader of partitions or of DOMAIN, with their stream. */
function consumersOf(
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

async function removeConsumer(manager: JetStreamManager, stream: string, consumer: string): Promise<void> {
  await manager.consumers.delete(stream, consumer).catch(noConsumer);
}

/** The result of a call about a consumer that is not there; every other error goes on. */
export function noConsumer(error: unknown): undefined {
  if (!isNoConsumer(error)) throw error;
}

export const isNoConsumer = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;

/** Configures a stream as the object store of NATS wants it; files are never dropped to make room for others. */
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

async function ensureConsumer(
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
    ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
    ...config,
    // Bounded retries are ours (dead letters); the server never gives up by itself, which would skip silently.
    max_deliver: -1,
  });
}
