import { DiscardPolicy, RetentionPolicy } from '@nats-io/jetstream';

const MIB = 1024 * 1024;
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
  /** Notifications for people stay here: each is kept until it is sent or given up. */
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

export type StreamShape = {
  /** First token of its subjects, the number of a partition is the second. They are listed: they say how many there are. */
  readonly partitioned?: string;
  readonly subjects: readonly string[];
  readonly retention: RetentionPolicy;
  readonly discard: DiscardPolicy;
  readonly maxBytes: number;
  readonly maxAgeMs?: number;
};

function subjectsOf(shape: StreamShape, partitions: number): string[] {
  const { partitioned } = shape;
  if (partitioned === undefined) return [...shape.subjects];
  return Array.from({ length: partitions }, (_, partition) => `${partitioned}.${partition}`);
}

/** Lists the subjects of a stream, without the installation's prefix. */
export const subjectsOfStream = (stream: StreamName, partitions: number): string[] =>
  subjectsOf(STREAMS[stream], partitions);

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

/** Returns the stream of ours that takes a subject (without the installation's prefix). */
export function streamOfSubject(subject: string): StreamName {
  const first = `${subject.split('.')[0]}.`;
  const streams = Object.entries(STREAMS) as [StreamName, StreamShape][];
  return (
    streams.find(([, shape]) => subjectsOf(shape, 1).some((subject) => subject.startsWith(first)))?.[0] ?? 'DOMAIN'
  );
}
