import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type CopiedMessage, headersOf } from './copied-message.ts';
import { Objects } from './objects.ts';
import { serversOf } from './servers-of.ts';
import { type Floors, STREAM_NAMES, type StreamNumbers } from './stream-copy.ts';
import {
  ensureStreams,
  type Naming,
  namedConsumers,
  OBJECT_STREAM,
  objectBucket,
  type StreamName,
  streamName,
  subjectName,
  subjectsOfStream,
} from './topology.ts';

export type RestoredPlaces = { readonly ends: StreamNumbers; readonly floors: Floors };

const TIMEOUT_MS = 10_000;
/** Keeps what is published until the readers are there. */
const HOLD = 'restore';
/** Publications whose acknowledgements are waited for. */
const AT_ONCE = 64;

/** Fills the streams of an installation whose services do not run, with the sequences that its database knows. */
export class StreamRestore {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  readonly #options: Naming & { partitions: number; replicas: number };
  readonly objects: Objects;

  private constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    options: Naming & { partitions: number; replicas: number },
  ) {
    this.#connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection, { timeout: TIMEOUT_MS });
    this.#options = options;
    this.objects = new Objects(this.#client, manager, options);
  }

  static async open(
    options: Naming & { url: string; name: string; partitions: number; replicas: number },
  ): Promise<StreamRestore> {
    const connection = await connect({ ...serversOf(options.url), name: options.name, timeout: TIMEOUT_MS });
    try {
      const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS });
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
    return (await this.#manager.streams.info(bucket)).state.messages;
  }

  /** Removes the streams of an installation without content, and makes them anew, empty and without readers. */
  async begin(): Promise<void> {
    for (const stream of await this.#existing()) await this.#manager.streams.delete(stream);
    // Without limits, since what comes may be more than the usual ones: historic sets them at its start.
    const maxBytes = Object.fromEntries(STREAM_NAMES.map((name) => [name, -1]));
    await ensureStreams(this.#manager, { ...this.#options, maxBytes });
  }

  /**
   * @param messages ascending; those that no reader wants are left out
   * @throws Error when a message did not get its sequence: somebody else publishes
   */
  async fill(stream: StreamName, places: RestoredPlaces, messages: AsyncIterable<CopiedMessage>): Promise<number> {
    const name = streamName(this.#options, stream);
    const end = places.ends[stream];
    const floors = places.floors[stream];
    const isQueue = stream === 'NOTIFICATIONS';
    // These keep a message as long as a reader wants it.
    const isByInterest = stream === 'INGEST' || stream === 'APPLIED';
    if (isByInterest)
      await this.#manager.consumers.add(name, {
        durable_name: HOLD,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
      });
    const publish = new OrderedPublisher(this.#client, this.#manager, name, this.#filler(stream));
    const isWanted = wantedBy(stream, floors, this.#options);
    let count = 0;
    for await (const message of messages) {
      if (!isWanted(message)) continue;
      await publish.add(message, subjectName(this.#options, message.subject));
      count += 1;
    }
    await publish.endAt(end);
    for (const config of namedConsumers(this.#options, stream, Object.keys(floors))) {
      const floor = floors[config.durable_name] ?? 0;
      await this.#manager.consumers.add(name, {
        ack_policy: AckPolicy.Explicit,
        max_deliver: -1,
        ...config,
        // Of a queue everything that is there is wanted, and it takes no other beginning.
        ...(isQueue
          ? { deliver_policy: DeliverPolicy.All }
          : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: floor + 1 }),
      });
    }
    if (isByInterest) await this.#manager.consumers.delete(name, HOLD);
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
    const found: string[] = [];
    for await (const { config } of this.#manager.streams.list())
      if (ours.includes(config.name)) found.push(config.name);
    return found;
  }
}

/** Whether any reader has not finished a message. Letters are for people: all of them are wanted. */
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

/** Publishes messages so that each gets the sequence that it had; what lies between them is filled up and removed. */
class OrderedPublisher {
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #stream: string;
  readonly #fillerSubject: string;
  #next = 1;
  #isEmpty = true;
  readonly #waiting: Promise<void>[] = [];
  readonly #fillers: number[] = [];

  constructor(client: JetStreamClient, manager: JetStreamManager, stream: string, fillerSubject: string) {
    this.#client = client;
    this.#manager = manager;
    this.#stream = stream;
    this.#fillerSubject = fillerSubject;
  }

  async add({ sequence, headers, data }: CopiedMessage, subject: string): Promise<void> {
    await this.#goTo(sequence);
    await this.#publish(subject, data, headers);
    this.#isEmpty = false;
  }

  /** The next message that somebody publishes comes behind `sequence`. */
  async endAt(sequence: number): Promise<void> {
    await this.#goTo(sequence + 1);
    await Promise.all(this.#waiting.splice(0));
    for (const filler of this.#fillers.splice(0))
      await this.#manager.streams.deleteMessage(this.#stream, filler, false);
  }

  async #goTo(sequence: number): Promise<void> {
    if (this.#isEmpty) {
      // An empty stream goes on wherever it is purged to, as the broker's own replicas do.
      if (sequence > 1) await this.#manager.streams.purge(this.#stream, { seq: sequence });
      this.#next = sequence;
    }
    while (this.#next < sequence) {
      this.#fillers.push(this.#next);
      await this.#publish(this.#fillerSubject, new Uint8Array(0), []);
    }
  }

  async #publish(subject: string, data: Uint8Array, headers: CopiedMessage['headers']): Promise<void> {
    const expected = this.#next;
    this.#next += 1;
    this.#waiting.push(
      this.#client.publish(subject, data, { headers: headersOf(headers), timeout: TIMEOUT_MS }).then((ack) => {
        if (ack.seq !== expected || ack.duplicate)
          throw new Error(`stream ${this.#stream}: message ${expected} became ${ack.seq}; is a service running?`);
      }),
    );
    if (this.#waiting.length >= AT_ONCE) await Promise.all(this.#waiting.splice(0));
  }
}
