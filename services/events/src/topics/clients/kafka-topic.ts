import { unavailable } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { compatibilityPartitioner, findErrorBy, ProduceAcks, Producer, stringSerializers } from '@platformatic/kafka';
import type { Topic, TopicMessage } from '../usecases/ports.ts';
import type { KafkaConfig } from './kafka-config.ts';

type KafkaTopicOptions = Pick<KafkaConfig, 'brokers' | 'tls' | 'sasl'> & {
  readonly name: string;
  readonly log: Pick<Logger, 'warn' | 'info' | 'error'>;
};

/** One request to the brokers. Their usual limit is 1 MiB for what it has of one partition. */
const REQUEST = { messages: 500, bytes: 512 * 1024 } as const;
const SEND_LIMIT_MS = 12_000;
/** Brokers are left alone for this long after a failure. */
const REST_MS = 1_000;
/** The protocol names these codes MESSAGE_TOO_LARGE and RECORD_LIST_TOO_LARGE. */
const TOO_LARGE = [10, 18];

/**
 * A topic of Kafka. Messages are sent in order, one request at a time, and are there when every replica in sync has them; those of one key
 * stay in order. Whatever fails may have been sent: it comes again, with the same ids.
 */
export class KafkaTopic implements Topic {
  readonly #options: KafkaTopicOptions;
  #producer: Producer<string, string, string, string> | undefined;
  /** Sends wait one behind the other. */
  #last: Promise<unknown> = Promise.resolve();
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #isAway = false;

  constructor(options: KafkaTopicOptions) {
    this.#options = options;
  }

  send(messages: Iterable<TopicMessage>): Promise<{ readonly refused: readonly TopicMessage[] }> {
    const sent = this.#last.then(() => this.#sendAll(messages));
    this.#last = sent.catch(() => {});
    return sent;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#drop();
  }

  async #sendAll(messages: Iterable<TopicMessage>): Promise<{ refused: TopicMessage[] }> {
    const refused: TopicMessage[] = [];
    for (const group of groupsOf(messages)) refused.push(...(await this.#sendGroup(group)));
    return { refused };
  }

  /** @returns those that the brokers find too large, each alone */
  async #sendGroup(group: readonly TopicMessage[]): Promise<TopicMessage[]> {
    if (performance.now() < this.#restUntilMs) throw unavailable('TOPIC_UNAVAILABLE');
    try {
      await this.#request(group);
      this.#isBack();
      return [];
    } catch (error) {
      // A producer that has failed may be out of step with its brokers for good: the next one begins anew.
      await this.#drop();
      if (TOO_LARGE.some((code) => findErrorBy(error as Error, 'apiCode', code))) {
        if (group.length === 1) return [...group];
        const half = Math.ceil(group.length / 2);
        return [...(await this.#sendGroup(group.slice(0, half))), ...(await this.#sendGroup(group.slice(half)))];
      }
      this.#hasFailed(error);
      throw unavailable('TOPIC_UNAVAILABLE', { cause: error });
    }
  }

  async #request(group: readonly TopicMessage[]): Promise<void> {
    const { name, brokers, tls, sasl } = this.#options;
    this.#producer ??= new Producer({
      clientId: 'catchment-events',
      bootstrapBrokers: [...brokers],
      connectTimeout: 3_000,
      requestTimeout: 10_000,
      retries: 1,
      serializers: stringSerializers,
      // Other clients choose the same partitions.
      partitioner: compatibilityPartitioner,
      autocreateTopics: true,
      ...(tls && { tls }),
      ...(sasl && { sasl }),
    });
    const messages = group.map(({ key, value }) => ({
      topic: name,
      key,
      value,
      headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8' },
    }));
    const sending = this.#producer.send({ messages, acks: ProduceAcks.ALL, idempotent: true });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`no answer in ${SEND_LIMIT_MS} ms`)), SEND_LIMIT_MS);
    try {
      await Promise.race([sending, late]);
    } finally {
      clearTimeout(timer);
      sending.catch(() => {});
    }
  }

  async #drop(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    await producer?.close(true).catch(() => {});
  }

  #isBack(): void {
    if (this.#isAway) this.#options.log.info({ topic: this.#options.name }, 'topic takes messages again');
    this.#isAway = false;
  }

  #hasFailed(err: unknown): void {
    this.#restUntilMs = performance.now() + REST_MS;
    if (!this.#isAway)
      this.#options.log.warn({ err, topic: this.#options.name }, 'topic takes no messages, trying again');
    this.#isAway = true;
  }
}

/** Batches come in order, each small enough for one request unless a single message is not. */
function* groupsOf(messages: Iterable<TopicMessage>): Iterable<TopicMessage[]> {
  let group: TopicMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(message.value);
    if (group.length > 0 && (group.length === REQUEST.messages || bytes + size > REQUEST.bytes)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(message);
    bytes += size;
  }
  if (group.length > 0) yield group;
}
