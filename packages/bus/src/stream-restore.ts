import { inParallel } from '@catchment/fair-queue';
import type { Logger } from '@catchment/telemetry';
import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, headers, type NatsConnection, RequestError } from '@nats-io/transport-node';
import { namedConsumers } from './consumers.ts';
import { type CopiedMessage, headersOf } from './copied-message.ts';
import { DEAD_LETTER } from './dead-letter-headers.ts';
import { type Naming, OBJECT_STREAM, objectBucket, streamName, subjectName } from './naming.ts';
import { noConsumer } from './no-consumer.ts';
import { Objects } from './objects.ts';
import { PARTITION_READERS, type PartitionReaderName, partitionConsumerName } from './readers.ts';
import { serversOf } from './servers-of.ts';
import { type Floors, STREAM_NAMES, type StreamNumbers } from './stream-copy.ts';
import { type StreamName, subjectsOfStream } from './streams.ts';
import { ASKED_AT_ONCE, ensureStreams } from './topology.ts';
import { untilAnswered } from './until-answered.ts';

export type RestoredPositions = { readonly ends: StreamNumbers; readonly floors: Floors };

const TIMEOUT_MS = 10_000;
/** Keeps what is published until the readers are there. */
const HOLD = 'restore';
/** Publications whose acknowledgements are waited for. */
const AT_ONCE = 64;

type RestoreOptions = Naming & { partitions: number; replicas: number; log: Pick<Logger, 'warn'> };

/**
 * Fills the streams of an installation whose services do not run, with the sequences that its database knows. A cluster that elects a
 * leader meanwhile is waited for.
 */
export class StreamRestore {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  readonly #options: RestoreOptions;
  readonly #objects: Objects;

  private constructor(connection: NatsConnection, manager: JetStreamManager, options: RestoreOptions) {
    this.#connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection, { timeout: TIMEOUT_MS });
    this.#options = options;
    this.#objects = new Objects(this.#client, manager, options);
  }

  static async open(options: RestoreOptions & { url: string; name: string }): Promise<StreamRestore> {
    const connection = await connect({ ...serversOf(options.url), name: options.name, timeout: TIMEOUT_MS });
    try {
      const manager = await untilAnswered(options.log, () => jetstreamManager(connection, { timeout: TIMEOUT_MS }));
      return new StreamRestore(connection, manager, options);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Readers of services that are connected at this moment: nothing may be restored beside them. */
  async running(): Promise<string[]> {
    const names: string[] = [];
    for (const stream of await this.#existing())
      for await (const info of this.#manager.consumers.list(stream)) if (info.num_waiting > 0) names.push(info.name);
    return names;
  }

  /** Objects that are there. */
  async objectCount(): Promise<number> {
    const bucket = OBJECT_STREAM + objectBucket(this.#options);
    if (!(await this.#existing()).includes(bucket)) return 0;
    return (await this.#ask(() => this.#manager.streams.info(bucket))).state.messages;
  }

  async putObject(name: string, bytes: Uint8Array): Promise<void> {
    await this.#ask(() => this.#objects.put(name, bytes));
  }

  /** Returns the partitions of the log of an installation that has been started. */
  async partitions(): Promise<number> {
    const { config } = await this.#ask(() => this.#manager.streams.info(streamName(this.#options, 'INGEST')));
    return config.subjects.length;
  }

  /**
   * Appends a message that one reader of a partition alone handles, as a dead letter that is tried again (`BusMessage.isRetry`).
   * @param msgId a message that comes twice is dropped
   */
  async publish(reader: PartitionReaderName, partition: number, data: Uint8Array, msgId: string): Promise<void> {
    const sent = headers();
    sent.set(DEAD_LETTER.reader, partitionConsumerName(reader, partition));
    const subject = subjectName(this.#options, `${PARTITION_READERS[reader].subject}.${partition}`);
    await this.#ask(() => this.#client.publish(subject, data, { msgID: msgId, headers: sent }));
  }

  /** Removes the streams of an installation without content, and makes them anew, empty and without readers. */
  async begin(): Promise<void> {
    await this.#ask(async () => {
      for (const stream of await this.#existing()) await this.#manager.streams.delete(stream);
    });
    // The streams have no limits for now, since the copy may hold more than the usual ones: historic sets them at its start.
    const maxBytes = Object.fromEntries(STREAM_NAMES.map((name) => [name, -1]));
    await this.#ask(() => ensureStreams(this.#manager, { ...this.#options, maxBytes }));
  }

  /**
   * @param messages ascending; those that no reader wants are left out
   * @throws Error when a message did not get its sequence: somebody else publishes
   */
  async fill(
    stream: StreamName,
    positions: RestoredPositions,
    messages: AsyncIterable<CopiedMessage>,
  ): Promise<number> {
    const name = streamName(this.#options, stream);
    const end = positions.ends[stream];
    const floors = positions.floors[stream];
    const isQueue = stream === 'NOTIFICATIONS';
    // These keep a message as long as a reader wants it.
    const isByInterest = stream === 'INGEST' || stream === 'APPLIED';
    if (isByInterest)
      await this.#ask(() =>
        this.#manager.consumers.add(name, {
          durable_name: HOLD,
          ack_policy: AckPolicy.Explicit,
          deliver_policy: DeliverPolicy.All,
        }),
      );
    const publish = new OrderedPublisher(this.#client, this.#manager, {
      stream: name,
      fillerSubject: this.#filler(stream),
      log: this.#options.log,
      isCluster: this.#options.replicas > 1,
    });
    const isWanted = wantedBy(stream, floors, this.#options);
    let count = 0;
    for await (const message of messages) {
      if (!isWanted(message)) continue;
      await publish.add(message, subjectName(this.#options, message.subject));
      count += 1;
    }
    await publish.endAt(end);
    const consumers = namedConsumers(this.#options, stream, Object.keys(floors));
    await inParallel(consumers, { atOnce: ASKED_AT_ONCE }, async (config) => {
      const floor = floors[config.durable_name] ?? 0;
      const wanted = {
        ack_policy: AckPolicy.Explicit,
        max_deliver: -1,
        ...config,
        // A work queue delivers everything that it holds, and allows no other beginning.
        ...(isQueue
          ? { deliver_policy: DeliverPolicy.All }
          : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: floor + 1 }),
      };
      await this.#ask(() => this.#manager.consumers.add(name, wanted));
    });
    if (isByInterest) await this.#ask(() => this.#manager.consumers.delete(name, HOLD).catch(noConsumer));
    return count;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** A subject of the stream. */
  #filler(stream: StreamName): string {
    const [first = ''] = subjectsOfStream(stream, this.#options.partitions);
    return subjectName(this.#options, first.replace('>', 'restored'));
  }

  async #existing(): Promise<string[]> {
    const ours = [
      ...STREAM_NAMES.map((name) => streamName(this.#options, name)),
      OBJECT_STREAM + objectBucket(this.#options),
    ];
    return this.#ask(async () => {
      const found: string[] = [];
      // Their names alone: a list of streams leaves out those without a leader.
      for await (const name of this.#manager.streams.names()) if (ours.includes(name)) found.push(name);
      return found;
    });
  }

  #ask<T>(work: () => Promise<T>): Promise<T> {
    return untilAnswered(this.#options.log, work);
  }
}

/** True where some reader has not finished a message. Dead letters are for people: all of them are wanted. */
function wantedBy(
  stream: StreamName,
  floors: Readonly<Record<string, number>>,
  options: Naming & { partitions: number },
): (message: CopiedMessage) => boolean {
  if (stream === 'DEADLETTER' || stream === 'NOTIFICATIONS') return () => true;
  const readers = namedConsumers({ ...options, prefix: '' }, stream, Object.keys(floors)).map(
    ({ durable_name, filter_subject = '>' }) => ({
      floor: floors[durable_name] ?? 0,
      isFor: subjectFilter(filter_subject),
    }),
  );
  return ({ sequence, subject }) => readers.some(({ floor, isFor }) => sequence > floor && isFor(subject));
}

function subjectFilter(filter: string): (subject: string) => boolean {
  const parts = filter.split('.').map((token) => (token === '*' ? '[^.]+' : token === '>' ? '.+' : token));
  const pattern = new RegExp(`^${parts.join('\\.')}$`);
  return (subject) => pattern.test(subject);
}

type Into = {
  readonly stream: string;
  readonly fillerSubject: string;
  readonly log: Pick<Logger, 'warn'>;
  readonly isCluster: boolean;
};
type Numbered = Pick<CopiedMessage, 'sequence' | 'subject' | 'headers' | 'data'>;

/** Publishes messages so that each gets the sequence that it had; what lies between them is filled up and removed. */
class OrderedPublisher {
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #into: Into;
  #next = 1;
  #isEmpty = true;
  readonly #batch: Numbered[] = [];
  readonly #fillers: number[] = [];

  constructor(client: JetStreamClient, manager: JetStreamManager, into: Into) {
    this.#client = client;
    this.#manager = manager;
    this.#into = into;
  }

  async add({ sequence, headers, data }: CopiedMessage, subject: string): Promise<void> {
    await this.#goTo(sequence);
    await this.#append(subject, data, headers);
    this.#isEmpty = false;
  }

  /** The next message that somebody publishes comes behind `sequence`. */
  async endAt(sequence: number): Promise<void> {
    await this.#goTo(sequence + 1);
    await this.#flush();
    await inParallel(this.#fillers.splice(0), { atOnce: ASKED_AT_ONCE }, (filler) => this.#remove(filler));
  }

  async #goTo(sequence: number): Promise<void> {
    if (this.#isEmpty) {
      const { stream, log } = this.#into;
      // An empty stream goes on wherever it is purged to, as the broker's own replicas do.
      if (sequence > 1) await untilAnswered(log, () => this.#manager.streams.purge(stream, { seq: sequence }));
      this.#next = sequence;
    }
    while (this.#next < sequence) {
      this.#fillers.push(this.#next);
      await this.#append(this.#into.fillerSubject, new Uint8Array(0), []);
    }
  }

  async #append(subject: string, data: Uint8Array, headers: CopiedMessage['headers']): Promise<void> {
    this.#batch.push({ sequence: this.#next, subject, headers, data });
    this.#next += 1;
    if (this.#batch.length >= AT_ONCE) await this.#flush();
  }

  async #flush(): Promise<void> {
    const { stream, log } = this.#into;
    let left = this.#batch.splice(0);
    await untilAnswered(log, async () => {
      const outcomes = await Promise.allSettled(left.map((message) => this.#publish(message)));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (!failed) return;
      // Some of the messages without an answer may be stored.
      const { state } = await this.#manager.streams.info(stream);
      left = left.filter(({ sequence }) => sequence > state.last_seq);
      // The library takes JetStream for missing where nobody leads the stream.
      throw failed.reason.cause instanceof RequestError ? failed.reason.cause : failed.reason;
    });
  }

  async #publish({ sequence, subject, headers, data }: Numbered): Promise<void> {
    // A message that comes late in an election, or behind one that was lost, is refused and published again. A single server elects nobody,
    // and one of 2.9 counts from 0 in a stream that was purged.
    const expect = this.#into.isCluster ? { lastSequence: sequence - 1 } : {};
    const sent = { headers: headersOf(headers), expect, timeout: TIMEOUT_MS };
    const ack = await this.#client.publish(subject, data, sent);
    if (ack.seq !== sequence || ack.duplicate)
      throw new Error(`stream ${this.#into.stream}: message ${sequence} became ${ack.seq}; is a service running?`);
  }

  async #remove(sequence: number): Promise<void> {
    const { stream, log } = this.#into;
    await untilAnswered(log, async () => {
      // A removal that was not answered may be done.
      const isThere = (await this.#manager.streams.getMessage(stream, { seq: sequence })) !== null;
      if (isThere) await this.#manager.streams.deleteMessage(stream, sequence, false);
    });
  }
}
