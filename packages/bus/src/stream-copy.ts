import type { Logger } from '@catchment/telemetry';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { type CopiedMessage, headerList } from './copied-message.ts';
import { type Naming, streamName } from './naming.ts';
import { noConsumer } from './no-consumer.ts';
import { Objects } from './objects.ts';
import { nextOf, readerPositions } from './reader-positions.ts';
import { partitionConsumerName } from './readers.ts';
import { serversOf } from './servers-of.ts';
import { STREAMS, type StreamName } from './streams.ts';
import { untilAnswered } from './until-answered.ts';

export type StreamNumbers = Readonly<Record<StreamName, number>>;
/** Per stream and reader: the sequence up to which the reader has finished everything. */
export type Floors = Readonly<Record<StreamName, Readonly<Record<string, number>>>>;

export const STREAM_NAMES = Object.keys(STREAMS) as StreamName[];
const TIMEOUT_MS = 10_000;
/** A copy whose process died is given up by the broker after this time, and holds nothing any more. */
const INACTIVE_MS = 300_000;
/** Messages in hand; each is up to max_payload. */
const FETCH = 32;
const FETCH_MS = 2_000;
/** Failures in a row while the broker does not answer. */
const MAX_FAILURES = 30;

type CopyOptions = Naming & { readonly log: Pick<Logger, 'warn'> };

/** Reads the streams of a running installation for a backup. Nothing that the readers of the services see changes. */
export class StreamCopy {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  readonly #naming: Naming;
  readonly #log: Pick<Logger, 'warn'>;
  readonly objects: Objects;

  private constructor(connection: NatsConnection, manager: JetStreamManager, { log, ...naming }: CopyOptions) {
    this.#connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection, { timeout: TIMEOUT_MS });
    this.#naming = naming;
    this.#log = log;
    this.objects = new Objects(this.#client, manager, naming);
  }

  /** @throws when the broker does not answer */
  static async open(options: CopyOptions & { url: string; name: string }): Promise<StreamCopy> {
    const connection = await connect({ ...serversOf(options.url), name: options.name, timeout: TIMEOUT_MS });
    try {
      const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS });
      return new StreamCopy(connection, manager, { prefix: options.prefix, log: options.log });
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Partitions of the ingest log. */
  async partitions(): Promise<number> {
    const log = streamName(this.#naming, 'INGEST');
    return (await this.#ask(() => this.#manager.streams.info(log))).config.subjects.length;
  }

  /** Returns the sequence of the newest message that each stream ever had. */
  async ends(): Promise<StreamNumbers> {
    const ends = await Promise.all(
      STREAM_NAMES.map(async (name) => {
        const { state } = await this.#ask(() => this.#manager.streams.info(streamName(this.#naming, name)));
        return [name, state.last_seq] as const;
      }),
    );
    return Object.fromEntries(ends) as StreamNumbers;
  }

  /**
   * Tells how far each durable reader is, at least.
   * @throws DomainError unavailable where the broker does not report all of them for a minute
   */
  async floors(): Promise<Floors> {
    const partitions = await this.partitions();
    const writers = Array.from({ length: partitions }, (_, partition) => partitionConsumerName('writer', partition));
    const floors = await Promise.all(
      STREAM_NAMES.map(async (name) => {
        const required = name === 'INGEST' ? writers : [];
        const stream = streamName(this.#naming, name);
        return [name, await this.#ask(() => readerPositions(this.#manager, stream, required))] as const;
      }),
    );
    return Object.fromEntries(floors) as Floors;
  }

  /**
   * The stream keeps every message from now on until the copy has it, besides its readers.
   * @param after first sequence that is not wanted is this one; 0 = from the oldest on
   */
  async hold(stream: StreamName, after = 0): Promise<HeldStream> {
    const name = streamName(this.#naming, stream);
    const { prefix } = this.#naming;
    const plain = (subject: string) => (prefix ? subject.slice(prefix.length + 1) : subject);
    return HeldStream.open(this.#client, this.#manager, { stream: name, plain, after });
  }

  /** Yields what waits in a work queue, up to a sequence: no consumer may look at it besides its readers. */
  async *waiting(stream: 'NOTIFICATIONS', upTo: number): AsyncGenerator<CopiedMessage> {
    const name = streamName(this.#naming, stream);
    const { prefix } = this.#naming;
    for (let next = (await this.#manager.streams.info(name)).state.first_seq; next <= upTo; next += 1) {
      const query = { seq: next, next_by_subj: '>' };
      const found = await this.#manager.streams.getMessage(name, query);
      if (!found || found.seq > upTo) return;
      next = found.seq;
      const subject = prefix ? found.subject.slice(prefix.length + 1) : found.subject;
      yield { sequence: found.seq, subject, headers: headerList(found.header), data: found.data };
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** A cluster that elects a leader is waited for. */
  #ask<T>(work: () => Promise<T>): Promise<T> {
    return untilAnswered(this.#log, work);
  }
}

type Held = { readonly stream: string; readonly plain: (subject: string) => string; readonly after: number };

/** The stream keeps its messages until they were seen here. */
export class HeldStream {
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #held: Held;
  #consumer: string;
  #seen: number;
  #until: number | undefined;
  #delivered = 0;

  private constructor(client: JetStreamClient, manager: JetStreamManager, held: Held, consumer: string) {
    this.#client = client;
    this.#manager = manager;
    this.#held = held;
    this.#consumer = consumer;
    this.#seen = held.after;
  }

  static async open(client: JetStreamClient, manager: JetStreamManager, held: Held): Promise<HeldStream> {
    return new HeldStream(client, manager, held, await addConsumer(manager, held.stream, held.after));
  }

  /** Says up to which sequence `messages` goes; known only after it has begun. */
  end(sequence: number): void {
    this.#until = sequence;
  }

  /**
   * All messages in their order, until the one that `end` names. A message may go from the stream when the next one is asked for.
   * @throws Error where the broker has kept messages no longer
   */
  async *messages(signal: AbortSignal): AsyncGenerator<CopiedMessage> {
    const { stream, plain } = this.#held;
    for (let failures = 0; ; ) {
      signal.throwIfAborted();
      try {
        if (await this.#isThrough()) return;
        const pulled = await this.#client.consumers.get(stream, this.#consumer);
        const fetched = await pulled.fetch({ max_messages: FETCH, expires: FETCH_MS, idle_heartbeat: FETCH_MS / 2 });
        for await (const message of fetched) {
          if (this.#until !== undefined && message.seq > this.#until) return;
          // One that was given to a pull that is gone comes later: it is asked for again, in order.
          if (message.info.deliveryCount > 1 || message.info.deliverySequence !== this.#delivered + 1)
            throw new Error(`a message of ${stream} is missing`);
          this.#delivered += 1;
          this.#seen = message.seq;
          const { seq: sequence, data, subject } = message;
          yield { sequence, subject: plain(subject), headers: headerList(message.headers), data };
          message.ack();
        }
        failures = 0;
      } catch (error) {
        failures += 1;
        if (signal.aborted || failures === MAX_FAILURES) throw error;
        await this.#renew();
      }
    }
  }

  /** A broker that was silent may have given messages to nobody: another consumer begins behind what was seen. The old one holds them until then. */
  async #renew(): Promise<void> {
    const { stream } = this.#held;
    const old = this.#consumer;
    this.#consumer = await addConsumer(this.#manager, stream, this.#seen);
    this.#delivered = 0;
    await this.#manager.consumers.delete(stream, old).catch((error: unknown) => {
      noConsumer(error);
      throw new Error(
        `NATS has given up the reader of the copy of ${stream}, and may have removed what it did not have: make it again`,
      );
    });
  }

  /**
   * True when nothing can come any more: the message at the end may be gone for long. The reader's own word is not
   * enough (reader-positions.ts).
   */
  async #isThrough(): Promise<boolean> {
    if (this.#until === undefined) return false;
    if (this.#seen >= this.#until) return true;
    return (await nextOf(this.#manager, this.#held.stream, '>', this.#seen)) > this.#until;
  }

  /** The stream may go on without us. */
  async release(): Promise<void> {
    await this.#manager.consumers.delete(this.#held.stream, this.#consumer).catch(() => false);
  }
}

/** @param after 0 = from the oldest message on @returns its name */
async function addConsumer(manager: JetStreamManager, stream: string, after: number): Promise<string> {
  const from: Partial<ConsumerConfig> =
    after === 0
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 };
  const { name } = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.Explicit,
    inactive_threshold: nanos(INACTIVE_MS),
    ...from,
  });
  return name;
}
