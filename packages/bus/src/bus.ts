import { DomainError, unavailable } from '@catchment/errors';
import { type Logger, SpanKind, withSpan } from '@catchment/telemetry';
import {
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectForGood } from './connect-for-good.ts';
import { ConsumerLoop } from './consumer-loop.ts';
import {
  ACK_WAIT_MS,
  DOMAIN_BATCH,
  DOMAIN_GATHER_MS,
  PARTITION_BATCH,
  QUEUE_ACK_WAIT_MS,
  QUEUE_BATCH,
} from './consumers.ts';
import { DEAD_LETTER, deadLetterHeaders } from './dead-letter-headers.ts';
import {
  answerSubjectOf,
  type BatchHandler,
  type BusMessage,
  type DeadLetterPart,
  type LoopOptions,
} from './delivered.ts';
import { ensureParts, ensureRequired, keepOptional, removePart } from './ensure-consumers.ts';
import { LogHold } from './log-hold.ts';
import { answerLogLevel, followLogLevels, watchLogLevels } from './log-levels.ts';
import { type Naming, OBJECT_STREAM, streamName, subjectName } from './naming.ts';
import { Objects } from './objects.ts';
import { PartitionLoop } from './partition-loop.ts';
import { announceVersion } from './process-versions.ts';
import { outgoingHeaders, publishAttributes, storedAt, templateOf } from './published-message.ts';
import { deadLetters, oldestMsOf, readerOf, reportReaders } from './reader-metrics.ts';
import { lagOf, positionOf } from './reader-positions.ts';
import {
  type DomainReaderName,
  isOptionalConsumer,
  type OptionalReaderName,
  PARTITION_READERS,
  type PartitionReaderName,
  partitionConsumerName,
  type QueueReaderName,
} from './readers.ts';
import { refusedMessage, reportRefusal } from './refused-message.ts';
import { Requests } from './requests.ts';
import { reportBrokerClock, reportStreams } from './stream-metrics.ts';
import { type StreamName, streamOfSubject } from './streams.ts';
import { ensureTopology } from './topology.ts';
import { removeUnneeded, type UnneededFound, type UnneededSearch } from './unneeded-messages.ts';
import { untilAnswered } from './until-answered.ts';
import { refuseWhenRepeatable } from './without-publishing.ts';

export type BusOptions = {
  /**
   * nats://user:password@host:port, several with commas; tls:// insists on TLS. Arguments of the first one name files:
   * `?tls_ca=` authorities, `tls_cert=` and `tls_key=` our own certificate.
   */
  readonly url: string;
  /** The broker's connection list shows this name. */
  readonly name: string;
  readonly log: Logger;
  /** Put before every stream and subject, so that installations and tests share a broker. */
  readonly prefix?: string;
  /** The ingest log has this many partitions, fixed for the life of an installation. */
  readonly partitions: number;
  /** A stream has 1 replica, in a cluster 3 or 5. */
  readonly replicas?: number;
  /** Most bytes of the streams that do not have the usual limits; only the service that decides limits sets them. */
  readonly maxBytes?: Partial<Record<StreamName, number>>;
  /** Ends `open` while the broker is waited for. */
  readonly signal?: AbortSignal;
};

export type PublishOptions = {
  /** A second message with this id within two minutes is dropped by the broker. */
  readonly msgId: string;
  readonly timeoutMs?: number;
  /** Traces of the requests that the message carries, when it carries several. */
  readonly linkedTraceparents?: readonly string[];
};

/** Work on a message must be over before the broker would hand it to another replica. */
const WORK_SHARE = 0.6;
const WORK_LIMIT_MS = ACK_WAIT_MS * WORK_SHARE;
/** A message of a cluster has its time before the servers agree on its sequence, which takes no longer than this. */
const REPLICATION_MS = 2_000;
const PUBLISH_TIMEOUT_MS = 5_000;
const ACK = new TextEncoder().encode('+ACK');

/** Connects to the broker, and does all that the services do with it. */
export class Bus {
  readonly #connection: NatsConnection;
  readonly #requests: Requests;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #naming: Naming;
  readonly #log: Logger;
  readonly #loops: (ConsumerLoop | PartitionLoop)[] = [];
  readonly partitions: number;
  /** Files of people. */
  readonly objects: Objects;
  #deadLetters = 0;
  /** This process reads these durable consumers, by stream, as the broker names both. */
  readonly #consumers = new Map<string, Set<string>>();
  readonly #metrics: (() => void)[];

  private constructor(connection: NatsConnection, manager: JetStreamManager, options: BusOptions) {
    this.#connection = connection;
    this.#requests = new Requests(connection);
    this.#client = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS });
    this.#manager = manager;
    this.#naming = { prefix: options.prefix ?? '' };
    this.#log = options.log;
    this.partitions = options.partitions;
    this.objects = new Objects(this.#client, manager, this.#naming, this.#log);
    this.#metrics = [reportReaders(manager, () => this.#consumers), reportBrokerClock(manager, this.#naming)];
    followLogLevels(connection, { ...this.#naming, service: options.name, log: options.log });
    announceVersion(connection, { ...this.#naming, service: options.name });
    void this.#watchConnection();
  }

  /**
   * Connects, waits for the broker if it is not there yet, and makes sure that streams and consumers exist.
   * @throws the reason of `signal`, once the attempt that runs has ended
   */
  static async open(options: BusOptions): Promise<Bus> {
    const { signal } = options;
    const connection = await connectForGood(options);
    try {
      const { prefix = '', partitions, replicas = 1, maxBytes } = options;
      const manager = await untilAnswered(
        options.log,
        async () => {
          const manager = await jetstreamManager(connection, { timeout: PUBLISH_TIMEOUT_MS });
          const kept = await ensureTopology(manager, { prefix, partitions, replicas, ...(maxBytes && { maxBytes }) });
          if (kept.length > 0)
            options.log.warn(
              { streams: kept },
              'streams hold more than their new limits, which are set at a later start',
            );
          return manager;
        },
        { signal },
      );
      return new Bus(connection, manager, options);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Largest message that the broker takes, bytes. */
  get maxPayloadBytes(): number {
    return this.#connection.info?.max_payload ?? 1024 * 1024;
  }

  /** Messages that this process could not handle and put aside. */
  get deadLetterCount(): number {
    return this.#deadLetters;
  }

  /**
   * Appends a message to the stream of its subject; resolves when the broker has stored it.
   * @throws DomainError unavailable when that is not certain: publish again with the same msgId; internal
   *   (`isRefusedMessage`) when the broker would never take it
   */
  async publish(
    subject: string,
    data: Uint8Array,
    options: PublishOptions,
  ): Promise<{ sequence: number; duplicate: boolean }> {
    refuseWhenRepeatable();
    const links = options.linkedTraceparents;
    return withSpan(
      `publish ${templateOf(subject)}`,
      {
        kind: SpanKind.PRODUCER,
        attributes: () => publishAttributes(subject),
        ...(links && { linkedTraceparents: links }),
      },
      async () => {
        try {
          const { msgId, timeoutMs = PUBLISH_TIMEOUT_MS } = options;
          const sent = { timeoutMs, headers: outgoingHeaders(msgId) };
          return storedAt(await this.#requests.send(subjectName(this.#naming, subject), data, sent));
        } catch (error) {
          const refused = refusedMessage(subject, error);
          if (!refused) reportRefusal(this.#log, streamOfSubject(subject), error);
          throw refused ?? unavailable('BROKER_UNAVAILABLE', { cause: error });
        }
      },
    );
  }

  /**
   * Reads every partition of a log in strict order, in batches of the messages that have arrived, up to 16.
   * @param part of a reader that has several; see `ensureParts`
   * @returns `hold`: what of the log this replica has for itself
   */
  readPartitions(
    reader: PartitionReaderName,
    handle: (partition: number, ...call: Parameters<BatchHandler>) => Promise<void>,
    part?: string,
  ): { stop(): Promise<void>; readonly hold: LogHold } {
    const { stream, gatherMs } = PARTITION_READERS[reader];
    const loops = Array.from({ length: this.partitions }, (_, partition) =>
      this.#keep(
        new PartitionLoop(this.#client, {
          ...this.#loopOptions(
            stream,
            partitionConsumerName(reader, partition, part),
            PARTITION_BATCH,
            (messages, signal) => handle(partition, messages, signal),
          ),
          gatherMs,
        }),
      ),
    );
    return {
      stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
      hold: new LogHold(loops),
    };
  }

  /** Reads domain events in batches of those that have arrived, up to 100. */
  readDomain(reader: DomainReaderName, handle: BatchHandler): { stop(): Promise<void> } {
    const options = this.#loopOptions('DOMAIN', reader, DOMAIN_BATCH, handle);
    return this.#keep(new ConsumerLoop(this.#client, { ...options, keepsPosition: true, gatherMs: DOMAIN_GATHER_MS }));
  }

  /** Works off a queue, up to ten messages at once, or as few as `atOnce` says; `RetryAfter` puts one back for a while. */
  readQueue(
    reader: QueueReaderName,
    handle: (message: BusMessage, signal: AbortSignal) => Promise<void>,
    atOnce: number = QUEUE_BATCH,
  ): { stop(): Promise<void> } {
    const alone: BatchHandler = async ([message], signal) => {
      if (message) await handle(message, signal);
    };
    const options = this.#loopOptions('NOTIFICATIONS', reader, atOnce, alone);
    return this.#keep(
      new ConsumerLoop(this.#client, { ...options, alone: true, workLimitMs: QUEUE_ACK_WAIT_MS * WORK_SHARE }),
    );
  }

  /**
   * Receives every message of a subject while connected, at every replica: to invalidate memory.
   * Nothing is replayed; `onGap` says that messages may have been missed, or that one could not be seen.
   */
  watch(subject: string, see: (data: Uint8Array) => void, onGap: () => void): void {
    this.#connection.subscribe(subjectName(this.#naming, subject), {
      callback: (error, message) => {
        try {
          if (error) throw error;
          // A retried message is old, and was seen when it came.
          if (!message.headers?.get(DEAD_LETTER.reader)) see(message.data);
        } catch (err) {
          this.#log.warn({ err, subject }, 'message could not be seen, what is remembered is forgotten');
          onGap();
        }
      },
    });
    void (async () => {
      for await (const status of this.#connection.status()) if (status.type === 'reconnect') onGap();
    })();
  }

  /**
   * Says something to every replica that watches a subject, at once. Nothing is kept, and nobody learns who has heard it.
   * @param subject of no stream
   */
  say(subject: `now.${string}`, data: Uint8Array): void {
    if (!this.#connection.isClosed()) this.#connection.publish(subjectName(this.#naming, subject), data);
  }

  /**
   * Passes on changes of log levels, for services that have no connection to the broker.
   * @param onChange gets the change as it came, and where `answerLogLevel` sends the answer
   */
  watchLogLevels(onChange: (change: Uint8Array, answerTo: string) => void): void {
    watchLogLevels(this.#connection, this.#naming, onChange);
  }

  /**
   * Answers a request for a log level: a process has the level.
   * @param who service, host and process id
   * @throws DomainError invalid_argument: `answerTo` is not what came with a change
   */
  answerLogLevel(answerTo: string, who: string): void {
    answerLogLevel(this.#connection, answerTo, who);
  }

  /** Returns the number of messages that the readers of a stream have not finished yet, by consumer name. */
  async lag(stream: StreamName): Promise<Record<string, number>> {
    const name = streamName(this.#naming, stream);
    // The end first: what has come by now counts.
    const end = await this.lastSequence(stream);
    const readers = await Array.fromAsync(this.#manager.consumers.list(name));
    const lags = readers.map(async (reader) => [reader.name, await lagOf(this.#manager, name, reader, end)] as const);
    return Object.fromEntries(await Promise.all(lags));
  }

  /** Returns the sequence of the newest message of a stream; 0 for none. */
  async lastSequence(stream: StreamName): Promise<number> {
    return (await this.#manager.streams.info(streamName(this.#naming, stream))).state.last_seq;
  }

  /**
   * Returns a time such that no message will come to a stream with an earlier one, Unix ms by the clock of its server.
   * @throws DomainError unavailable while the broker does not answer
   */
  async timeMs(stream: StreamName): Promise<number> {
    const { ts, config } = await this.#manager.streams
      .info(streamName(this.#naming, stream))
      .catch((cause: unknown) => {
        throw unavailable('BROKER_UNAVAILABLE', { cause });
      });
    const ms = ts === undefined ? Date.now() : Date.parse(ts);
    return config.num_replicas > 1 ? ms - REPLICATION_MS : ms;
  }

  /** Returns when the oldest message of a partition came that a reader has not finished, in Unix ms; undefined where there is none. */
  async oldestUnreadMs(reader: PartitionReaderName, partition: number, part?: string): Promise<number | undefined> {
    const stream = streamName(this.#naming, PARTITION_READERS[reader].stream);
    const name = partitionConsumerName(reader, partition, part);
    const { ack_floor, config } = await this.#manager.consumers.info(stream, name);
    const next = { seq: ack_floor.stream_seq + 1, next_by_subj: config.filter_subject ?? '>' };
    const message = await this.#manager.streams.getMessage(stream, next);
    return message ? Math.floor(Date.parse(message.timestamp)) : undefined;
  }

  /** True once a reader has finished all messages of a partition up to a sequence of its stream. */
  async hasRead(reader: PartitionReaderName, partition: number, sequence: number, part?: string): Promise<boolean> {
    const stream = streamName(this.#naming, PARTITION_READERS[reader].stream);
    const info = await this.#manager.consumers.info(stream, partitionConsumerName(reader, partition, part));
    return (await positionOf(this.#manager, stream, info, sequence)) >= sequence;
  }

  /** Names of the readers of a stream that have never acknowledged a message. */
  async neverAcknowledged(stream: StreamName): Promise<Set<string>> {
    const names = new Set<string>();
    for await (const { name, ack_floor } of this.#manager.consumers.list(streamName(this.#naming, stream)))
      if (ack_floor.stream_seq === 0) names.add(name);
    return names;
  }

  /**
   * Gives readers of the log a message to acknowledge before there is any other. A broker before 2.9.17 that is started again overlooks a
   * reader that has never acknowledged, and removes the messages that all others have acknowledged.
   * @param message changes nothing
   * @param reader present: for this one alone, which is read only where it is wanted
   */
  async beginLog(message: Uint8Array, reader?: PartitionReaderName): Promise<void> {
    const readers = await this.neverAcknowledged('INGEST');
    for (let partition = 0; partition < this.partitions; partition += 1) {
      const isNew = reader
        ? readers.has(partitionConsumerName(reader, partition))
        : [...readers].some((name) => name.endsWith(`-${partition}`));
      // The broker drops a repetition by another replica.
      const msgId = reader ? `begin-${reader}-${partition}` : `begin-${partition}`;
      if (isNew) await this.publish(`ingest.${partition}`, message, { msgId });
    }
  }

  /**
   * Makes the optional readers of a service that it wants, and removes the others: to be called before they are read. One that
   * nobody reads would keep a log from growing.
   */
  keepOptional(wanted: readonly OptionalReaderName[]): Promise<void> {
    return keepOptional(this.#manager, { ...this.#naming, partitions: this.partitions }, wanted);
  }

  /** Makes parts of a reader, each with its own position in the log: all messages come from now on wait for them. */
  ensureParts(reader: PartitionReaderName, parts: readonly string[]): Promise<void> {
    return ensureParts(this.#manager, { ...this.#naming, partitions: this.partitions }, reader, parts);
  }

  /** Removes a part of a reader for good: nobody needs any more what it has not read. */
  removePart(reader: PartitionReaderName, part: string): Promise<void> {
    return removePart(this.#manager, { ...this.#naming, partitions: this.partitions }, reader, part);
  }

  /** Returns the share of the room of a stream that is taken, 0 to 1, and the messages that take it. */
  async room(stream: StreamName): Promise<{ taken: number; messages: number }> {
    const { state, config } = await this.#manager.streams.info(streamName(this.#naming, stream));
    return { taken: state.bytes / config.max_bytes, messages: state.messages };
  }

  /** Removes messages of a partition of the ingest log that wait for parts of the writer alone, and have nothing for them. */
  removeUnneeded(partition: number, search: UnneededSearch): Promise<UnneededFound> {
    return removeUnneeded(this.#manager, this.#naming, partition, search);
  }

  /** Returns how long ago the oldest message came that a reader has not finished, optional readers apart; 0 where there is none. */
  async oldestAgeMs(stream: 'INGEST' | 'APPLIED'): Promise<number> {
    const name = streamName(this.#naming, stream);
    const nowMs = Date.now();
    let oldestMs = nowMs;
    for await (const info of this.#manager.consumers.list(name)) {
      if (isOptionalConsumer(info.name)) continue;
      oldestMs = Math.min(oldestMs, (await oldestMsOf(this.#manager, name, info)) ?? nowMs);
    }
    return nowMs - oldestMs;
  }

  /** @throws DomainError unavailable while the broker does not answer */
  async check(): Promise<void> {
    try {
      await this.#connection.rtt();
    } catch (error) {
      throw unavailable('BROKER_UNAVAILABLE', { cause: error });
    }
  }

  /** Removes the streams of this prefix; for tests. */
  async destroy(): Promise<void> {
    if (!this.#naming.prefix)
      throw new DomainError('failed_precondition', 'PREFIX_NEEDED', 'only prefixed streams may be removed');
    for await (const stream of this.#manager.streams.list()) {
      if (stream.config.name.replace(OBJECT_STREAM, '').startsWith(`${this.#naming.prefix}_`))
        await this.#manager.streams.delete(stream.config.name);
    }
  }

  /**
   * Reports at each scrape how full the streams and the broker's storage are: one service does it for all.
   * @param monitorUrl of the broker's monitoring port, where that is reached
   */
  reportStreams(monitorUrl?: string): void {
    this.#metrics.push(reportStreams(this.#manager, this.#naming, monitorUrl));
  }

  async close(): Promise<void> {
    for (const end of this.#metrics) end();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#connection.close();
  }

  #loopOptions(stream: StreamName, consumer: string, maxBatch: number, handle: BatchHandler): LoopOptions {
    const { prefix } = this.#naming;
    const name = streamName(this.#naming, stream);
    this.#consumers.set(name, (this.#consumers.get(name) ?? new Set()).add(consumer));
    deadLetters.add({ reader: readerOf(consumer) }, 0);
    return {
      stream: name,
      consumer,
      maxBatch,
      workLimitMs: WORK_LIMIT_MS,
      stripPrefix: (subject) => (prefix ? subject.slice(prefix.length + 1) : subject),
      handle,
      deadLetter: (message, reason, part) => this.#putAside(consumer, message, reason, part),
      acknowledge: async (message) => {
        await this.#requests.send(answerSubjectOf(message), ACK, { timeoutMs: PUBLISH_TIMEOUT_MS });
      },
      acknowledgeAgain: (to) => {
        if (!this.#connection.isClosed()) this.#connection.publish(to, ACK);
      },
      makeAgain: () => ensureRequired(this.#manager, { ...this.#naming, partitions: this.partitions }, name, consumer),
      log: this.#log,
    };
  }

  async #watchConnection(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type !== 'reconnect') continue;
      for (const loop of this.#loops) if (loop instanceof PartitionLoop) loop.reconnected();
    }
  }

  #keep<T extends ConsumerLoop | PartitionLoop>(loop: T): T {
    this.#loops.push(loop);
    return loop;
  }

  async #putAside(consumer: string, message: JsMsg, reason: string, part?: DeadLetterPart): Promise<void> {
    const marked = deadLetterHeaders(message, reason);
    const deadLetter = subjectName(this.#naming, `dead.${consumer}`);
    const msgID = `dead-${consumer}-${message.seq}${part ? `-${part.key}` : ''}`;
    const ack = await this.#client
      .publish(deadLetter, part?.data ?? message.data, { msgID, headers: marked })
      .catch((error: unknown) => {
        reportRefusal(this.#log, 'DEADLETTER', error);
        throw error;
      });
    if (ack.duplicate) return;
    this.#deadLetters += 1;
    deadLetters.add({ reader: readerOf(consumer) });
  }
}
