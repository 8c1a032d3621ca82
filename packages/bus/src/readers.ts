/**
 * Each reader has one durable consumer per partition, in strict order (docs/reference/guarantees.md#order-and-repetition; how:
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
export const isOptional = (reader: string): reader is OptionalReaderName =>
  OPTIONAL_READERS.some((optionalReader) => optionalReader === reader);
/** Accepts the durable consumer of an optional reader. */
export const isOptionalConsumer = (consumer: string): boolean => isOptional(consumer.replace(/-\d+$/, ''));

/** Readers that begin with what comes after them: an installation that gets one by an update sends nothing about its past. */
export const BEGIN_NEW: readonly string[] = ['nodes-transitions', ...OPTIONAL_READERS] satisfies (
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

/** @param part of a reader that has several, each with consumers of its own: a shard of the writer */
export const partitionConsumerName = (reader: PartitionReaderName, partition: number, part?: string): string =>
  part === undefined ? `${reader}-${partition}` : `${reader}-${part}-${partition}`;

type PartitionConsumer = {
  readonly reader: PartitionReaderName;
  /** A reader with several parts has this one. */
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

/** Returns the parts of the writer among durable consumers of these names. */
export const partsIn = (names: Iterable<string>): string[] => [
  ...new Set([...names].flatMap((name) => partitionConsumerOf(name)?.part ?? [])),
];
