import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, notFound, unavailable } from '@catchment/errors';
import {
  type Consumer,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { DEAD_LETTER } from './dead-letter-headers.ts';
import { type Naming, streamName, subjectName } from './naming.ts';
import { noConsumer } from './no-consumer.ts';
import { positionOf } from './reader-positions.ts';
import { DOMAIN_READERS, PARTITION_READERS, partitionConsumerOf, QUEUE_READERS } from './readers.ts';
import { serversOf } from './servers-of.ts';
import type { StreamName } from './streams.ts';

/** Its reader could not handle this message. */
export type DeadLetter = {
  /** The number names the letter in an installation, and grows. */
  readonly number: number;
  /** The durable consumer has this name: readers of partitions add the number of the partition. */
  readonly reader: string;
  /** The message came from this subject, without the installation's prefix. */
  readonly subject: string;
  /** Its sequence there. */
  readonly sequence: number;
  /** The message was published then, in Unix ms; undefined for letters of earlier versions. */
  readonly timeMs: number | undefined;
  /** The message was put aside then, in Unix ms. */
  readonly deadMs: number;
  /** People read this reason. */
  readonly reason: string;
  readonly bytes: number;
  /** The letter of this number was retried before this one. */
  readonly retryOf: number | undefined;
};

export type RetryOutcome =
  | { readonly kind: 'handled' }
  /** It is a dead letter again, of this number. */
  | { readonly kind: 'failed'; readonly letter: DeadLetter }
  /** Its reader has not come to it yet. */
  | { readonly kind: 'waiting' };

const ASK_MS = 200;
const TIMEOUT_MS = 5_000;
const FETCH_MESSAGES = 200;
const FETCH_MS = 1_000;

const pendingOf = async (consumer: Consumer): Promise<number> => (await consumer.info()).num_pending;

/** Reads the stream DEADLETTER, for people who decide what becomes of its messages. */
export class DeadLetters {
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #naming: Naming;

  private constructor(connection: NatsConnection, manager: JetStreamManager, naming: Naming) {
    this.#connection = connection;
    this.#client = jetstream(connection, { timeout: TIMEOUT_MS });
    this.#manager = manager;
    this.#naming = naming;
  }

  /** @param options.url as of the bus. @throws DomainError unavailable while the broker does not answer */
  static async open({ url, name, prefix = '' }: { url: string; name: string; prefix?: string }): Promise<DeadLetters> {
    try {
      const connection = await connect({ ...serversOf(url), name, timeout: TIMEOUT_MS, maxReconnectAttempts: 3 });
      return new DeadLetters(connection, await jetstreamManager(connection, { timeout: TIMEOUT_MS }), { prefix });
    } catch (error) {
      throw unavailable('BROKER_UNAVAILABLE', { cause: error });
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Yields all letters, the oldest first, without their content; the broker sends no content either. */
  async *list(afterNumber = 0): AsyncIterable<DeadLetter> {
    const { state } = await this.#manager.streams.info(this.#stream);
    if (state.messages === 0 || state.last_seq <= afterNumber) return;
    const consumer = await this.#client.consumers.get(this.#stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: afterNumber + 1,
      headers_only: true,
    });
    try {
      // Some of them may be dropped meanwhile: nothing waits for a letter that does not come.
      for (let left = await pendingOf(consumer); left > 0; left = await pendingOf(consumer)) {
        const messages = await consumer.fetch({ max_messages: Math.min(left, FETCH_MESSAGES), expires: FETCH_MS });
        for await (const { seq, subject, headers: marked, info } of messages) {
          const bytes = Number(marked?.get('Nats-Msg-Size') ?? 0);
          yield this.#letter({ seq, subject, header: marked, bytes, deadMs: Math.floor(info.timestampNanos / 1e6) });
          if (info.pending === 0) return;
        }
      }
    } finally {
      await consumer.delete().catch(() => {});
    }
  }

  /** @throws DomainError not_found when there is none of this number */
  async get(number: number): Promise<DeadLetter & { readonly data: Uint8Array }> {
    const { letter, data } = await this.#read(number);
    return { ...letter, data };
  }

  /**
   * Publishes a letter again, for the reader that could not handle it alone: behind all that is there, in the order of its partition. The
   * letter is gone when the broker has it; should it fail again, it is a new one.
   * @param content instead of the letter's own
   * @returns where it is: for `outcome`
   * @throws DomainError not_found; failed_precondition for a reader that is not there
   */
  async retry(number: number, content?: Uint8Array): Promise<{ stream: string; sequence: number; after: number }> {
    const { letter, header, data } = await this.#read(number);
    const stream = streamOf(letter.reader);
    // A message for a reader that is not there would be nobody's.
    if (
      !stream ||
      !(await this.#manager.consumers.info(streamName(this.#naming, stream), letter.reader).catch(noConsumer))
    )
      throw new DomainError('failed_precondition', 'READER_UNKNOWN', `reader: there is no ${letter.reader}`);
    const sent = headers();
    for (const name of header.keys()) if (!name.startsWith('Nats-')) sent.set(name, header.get(name));
    sent.delete(DEAD_LETTER.reason);
    sent.set(DEAD_LETTER.reader, letter.reader);
    sent.set(DEAD_LETTER.retryOf, String(number));
    const { state } = await this.#manager.streams.info(this.#stream);
    const subject = subjectName(this.#naming, letter.subject);
    const msgID = `retry-${number}`;
    const ack = await this.#client.publish(subject, content ?? data, { msgID, headers: sent });
    await this.drop(number);
    return { stream: ack.stream, sequence: ack.seq, after: state.last_seq };
  }

  /** Returns the outcome of a letter that was tried again: waits for it up to the limit. */
  async outcome(
    letter: DeadLetter,
    retried: { stream: string; sequence: number; after: number },
    limitMs: number,
  ): Promise<RetryOutcome> {
    const untilMs = performance.now() + limitMs;
    for (;;) {
      const info = await this.#manager.consumers.info(retried.stream, letter.reader);
      const finished = await positionOf(this.#manager, retried.stream, info, retried.sequence);
      if (finished >= retried.sequence) {
        for await (const next of this.list(retried.after))
          if (next.retryOf === letter.number) return { kind: 'failed', letter: next };
        return { kind: 'handled' };
      }
      if (performance.now() > untilMs) return { kind: 'waiting' };
      await delay(ASK_MS);
    }
  }

  /** Removes a letter for good. @throws DomainError not_found */
  async drop(number: number): Promise<void> {
    await this.#read(number);
    await this.#manager.streams.deleteMessage(this.#stream, number, false);
  }

  async #read(number: number) {
    const found = await this.#manager.streams.getMessage(this.#stream, { seq: number });
    if (!found) throw notFound({ reference: `dead letter ${number}` });
    const { seq, subject, header, data, timestamp } = found;
    const deadMs = Date.parse(timestamp);
    return { letter: this.#letter({ seq, subject, header, bytes: data.length, deadMs }), header, data };
  }

  #letter(from: {
    seq: number;
    subject: string;
    header: MsgHdrs | undefined;
    bytes: number;
    deadMs: number;
  }): DeadLetter {
    const { seq, subject, header, bytes, deadMs } = from;
    const plain = (text: string) => (this.#naming.prefix ? text.slice(this.#naming.prefix.length + 1) : text);
    const number = (name: string) => Number(header?.get(name) || Number.NaN);
    const or = (value: number) => (Number.isFinite(value) ? value : undefined);
    return {
      number: seq,
      reader: plain(subject).replace(/^dead\./, ''),
      subject: plain(header?.get(DEAD_LETTER.subject) ?? ''),
      sequence: number(DEAD_LETTER.sequence),
      timeMs: or(number(DEAD_LETTER.time)),
      deadMs,
      reason: header?.get(DEAD_LETTER.reason) ?? '',
      bytes,
      retryOf: or(number(DEAD_LETTER.retryOf)),
    };
  }

  get #stream(): string {
    return streamName(this.#naming, 'DEADLETTER');
  }
}

/** Returns the stream of a reader, by its durable consumer; undefined for readers that this version does not have. */
function streamOf(consumer: string): StreamName | undefined {
  if (consumer in DOMAIN_READERS) return 'DOMAIN';
  if (consumer in QUEUE_READERS) return 'NOTIFICATIONS';
  const reader = partitionConsumerOf(consumer)?.reader;
  return reader && PARTITION_READERS[reader].stream;
}
