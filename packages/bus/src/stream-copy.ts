import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type CopiedMessage, headerList } from './copied-message.ts';
import { Objects } from './objects.ts';
import { serversOf } from './servers-of.ts';
import { type Naming, STREAMS, type StreamName, streamName } from './topology.ts';

export type StreamNumbers = Readonly<Record<StreamName, number>>;
/** Of each stream by reader: it has finished everything up to this sequence. */
export type Floors = Readonly<Record<StreamName, Readonly<Record<string, number>>>>;

export const STREAM_NAMES = Object.keys(STREAMS) as StreamName[];
const TIMEOUT_MS = 10_000;
const NANOS_PER_MS = 1_000_000;
/** A copy whose process died is given up by the broker after this time, and holds nothing any more. */
const INACTIVE_MS = 300_000;
/** Messages in hand; each is up to max_payload. */
const FETCH = 32;
const FETCH_MS = 1_000;

/** Reads the streams of a running installation for a backup. Nothing that the readers of the services see changes. */
export class StreamCopy {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  readonly #naming: Naming;
  readonly objects: Objects;

  private constructor(connection: NatsConnection, manager: JetStreamManager, naming: Naming) {
    this.#connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection, { timeout: TIMEOUT_MS });
    this.#naming = naming;
    this.objects = new Objects(this.#client, manager, naming);
  }

  /** @throws when the broker does not answer */
  static async open(options: { url: string; name: string; prefix: string }): Promise<StreamCopy> {
    const connection = await connect({ ...serversOf(options.url), name: options.name, timeout: TIMEOUT_MS });
    try {
      const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS });
      return new StreamCopy(connection, manager, { prefix: options.prefix });
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Partitions of the ingest log. */
  async partitions(): Promise<number> {
    return (await this.#manager.streams.info(streamName(this.#naming, 'INGEST'))).config.subjects.length;
  }

  /** Sequence of the newest message that each stream ever had. */
  async ends(): Promise<StreamNumbers> {
    const ends = await Promise.all(
      STREAM_NAMES.map(async (name) => {
        const { state } = await this.#manager.streams.info(streamName(this.#naming, name));
        return [name, state.last_seq] as const;
      }),
    );
    return Object.fromEntries(ends) as StreamNumbers;
  }

  /** How far each durable reader is, at least. */
  async floors(): Promise<Floors> {
    // The ends first: a reader with nothing left has finished at least what was there before it was asked.
    const ends = await this.ends();
    const floors = await Promise.all(
      STREAM_NAMES.map(async (name) => {
        const readers: [string, number][] = [];
        for await (const info of this.#manager.consumers.list(streamName(this.#naming, name)))
          if (info.config.durable_name) readers.push([info.name, floorOf(info, ends[name])]);
        return [name, Object.fromEntries(readers)] as const;
      }),
    );
    return Object.fromEntries(floors) as Floors;
  }

  /**
   * From now on the stream keeps every message until the copy has it, besides its readers.
   * @param after first sequence that is not wanted is this one; 0 = from the oldest on
   */
  async hold(stream: StreamName, after = 0): Promise<HeldStream> {
    const name = streamName(this.#naming, stream);
    const from: Partial<ConsumerConfig> =
      after === 0
        ? { deliver_policy: DeliverPolicy.All }
        : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 };
    const { name: consumer } = await this.#manager.consumers.add(name, {
      ack_policy: AckPolicy.Explicit,
      inactive_threshold: INACTIVE_MS * NANOS_PER_MS,
      ...from,
    });
    const { prefix } = this.#naming;
    const plain = (subject: string) => (prefix ? subject.slice(prefix.length + 1) : subject);
    return new HeldStream(this.#client, this.#manager, { stream: name, consumer, plain });
  }

  /** What waits in a work queue, up to a sequence: no consumer may look at it besides its readers. */
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
}

/** A reader that has nothing left is as far as the stream was. */
function floorOf({ num_pending, num_ack_pending, ack_floor, delivered, config }: ConsumerInfo, end: number): number {
  if (num_pending + num_ack_pending === 0) return Math.max(end, delivered.stream_seq);
  // One that has never acknowledged anything has no floor yet, wherever it began.
  if (num_ack_pending === 0) return delivered.stream_seq;
  return Math.max(ack_floor.stream_seq, (config.opt_start_seq ?? 1) - 1);
}

/** A stream that keeps its messages until they were seen here. */
export class HeldStream {
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #at: { stream: string; consumer: string; plain: (subject: string) => string };
  #seen = 0;
  #until: number | undefined;

  constructor(
    client: JetStreamClient,
    manager: JetStreamManager,
    at: { stream: string; consumer: string; plain: (subject: string) => string },
  ) {
    this.#client = client;
    this.#manager = manager;
    this.#at = at;
  }

  /** Says up to which sequence `messages` goes; known only after it has begun. */
  end(sequence: number): void {
    this.#until = sequence;
  }

  /** All messages in their order, until the one that `end` names. A message may go from the stream when the next one is asked for. */
  async *messages(signal: AbortSignal): AsyncGenerator<CopiedMessage> {
    const { stream, consumer, plain } = this.#at;
    const pulled = await this.#client.consumers.get(stream, consumer);
    for (;;) {
      signal.throwIfAborted();
      const isEndKnown = this.#until !== undefined;
      let fetched = 0;
      for await (const message of await pulled.fetch({ max_messages: FETCH, expires: FETCH_MS })) {
        fetched += 1;
        const { seq: sequence, data } = message;
        // One that came again was seen.
        if (sequence > this.#seen && !(this.#until !== undefined && sequence > this.#until)) {
          this.#seen = sequence;
          yield { sequence, subject: plain(message.subject), headers: headerList(message.headers), data };
        }
        message.ack();
      }
      if (this.#until !== undefined && this.#seen >= this.#until) return;
      // The message at the end may be gone for long; what was there when the end was known has come.
      if (isEndKnown && fetched === 0 && (await this.#isThrough())) return;
    }
  }

  async #isThrough(): Promise<boolean> {
    const { stream, consumer } = this.#at;
    const { num_pending, delivered } = await this.#manager.consumers.info(stream, consumer);
    return num_pending === 0 || delivered.stream_seq >= (this.#until ?? Number.POSITIVE_INFINITY);
  }

  /** The stream may go on without us. */
  async release(): Promise<void> {
    await this.#manager.consumers.delete(this.#at.stream, this.#at.consumer).catch(() => false);
  }
}
