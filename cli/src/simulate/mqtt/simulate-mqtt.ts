import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { backoffMs } from '../station/backoff.ts';
import { type MessageCounts, noMessages } from '../station/counts.ts';
import { type FaultRates, Faults } from '../station/faults.ts';
import type { NextDocument } from '../station/records.ts';

export type SimulateMqttOptions = {
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
  readonly protocolVersion: 4 | 5;
  readonly qos: 0 | 1 | 2;
  /** Push key of the source. */
  readonly key: string;
  readonly password?: string;
  readonly clientId: string;
  readonly topic: string;
  /** Two messages lie this time apart; 0 for as soon as there is room. */
  readonly intervalMs: number;
  /** Messages without an answer at a time. */
  readonly inFlight: number;
  /** Ends after this many. */
  readonly messages?: number;
  readonly next: NextDocument;
  readonly faults: FaultRates;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** One line per event. */
  readonly log: (line: string) => void;
};

const BACKOFF_MS = { first: 500, longest: 30_000 };
const ANSWER_LIMIT_MS = 60_000;
/** A message may be sent twice. */
const LISTENERS_PER_MESSAGE = 2;

/** Publishes as a logger would, until its documents are sent and answered or `signal` aborts. Never rejects because of the server. */
export async function simulateMqtt(options: SimulateMqttOptions): Promise<MessageCounts> {
  const station = new Station(options);
  await station.run();
  return station.counts;
}

class Station {
  readonly counts: MessageCounts = noMessages();
  readonly #options: SimulateMqttOptions;
  readonly #faults: Faults;
  #client: MqttClient | undefined;
  #connecting: Promise<MqttClient | undefined> | undefined;
  readonly #work = new Set<Promise<void>>();

  constructor(options: SimulateMqttOptions) {
    this.#options = options;
    this.#faults = new Faults(options.faults, options.seed);
  }

  async run(): Promise<void> {
    const { signal, next, messages = Number.POSITIVE_INFINITY, intervalMs, inFlight } = this.#options;
    while (!signal.aborted && this.counts.sent < messages) {
      const document = await next(this.#faults.clockError());
      if (!document) break;
      while (this.#work.size >= inFlight) await Promise.race(this.#work);
      this.counts.sent += 1;
      const sending = this.#deliver(JSON.stringify(document)).finally(() => this.#work.delete(sending));
      this.#work.add(sending);
      if (intervalMs > 0) await sleep(intervalMs, undefined, { signal }).catch(() => {});
    }
    await Promise.all(this.#work);
    await this.#client?.endAsync().catch(() => {});
  }

  /** Sends again and again until it is answered; of QoS 0 once. */
  async #deliver(text: string): Promise<void> {
    const { topic, qos, signal, log } = this.#options;
    for (let tries = 0; ; tries += 1) {
      const client = await this.#connected();
      if (!client) return;
      if (tries > 0) this.counts.repeated += 1;
      const fault = this.#faults.next();
      try {
        const answer = publish(client, topic, text, qos);
        if (fault === 'duplicate') {
          this.counts.repeated += 1;
          await Promise.allSettled([answer, publish(client, topic, text, qos)]);
        }
        if (fault === 'drop') client.stream.destroy();
        await answer;
        if (qos > 0) this.counts.acknowledged += 1;
        return;
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (typeof code === 'number' && code >= 0x80 && client.connected) {
          this.counts.refused += 1;
          log(`message refused: ${(error as Error).message}`);
          return;
        }
        if (qos === 0 || signal.aborted) return;
        this.#drop(client);
      }
    }
  }

  #connected(): Promise<MqttClient | undefined> {
    if (this.#client?.connected) return Promise.resolve(this.#client);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** @returns undefined when the simulation is over */
  async #connect(): Promise<MqttClient | undefined> {
    const { host, port, tls = false, protocolVersion, key, password, clientId, inFlight, signal, log } = this.#options;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        const settings = {
          protocolVersion,
          clientId,
          username: key,
          reconnectPeriod: 0,
          clean: true,
          queueQoSZero: false,
          ...(password !== undefined && { password }),
        };
        // A connection that ends before its CONNACK is an error with `false`; else the client waits for ever.
        const client = await connectAsync(`${tls ? 'mqtts' : 'mqtt'}://${host}:${port}`, settings, false);
        client.on('error', () => {});
        client.setMaxListeners(inFlight * LISTENERS_PER_MESSAGE + client.getMaxListeners());
        client.on('disconnect', ({ reasonCode }) => log(`server says 0x${reasonCode?.toString(16) ?? '?'}`));
        this.#client = client;
        log(`${clientId} connected to ${host}:${port}`);
        return client;
      } catch (error) {
        log(`${clientId}: no connection: ${(error as Error).message}`);
        await sleep(backoffMs(tries, BACKOFF_MS), undefined, { signal }).catch(() => {});
      }
    }
    return undefined;
  }

  #drop(client: MqttClient): void {
    if (this.#client === client) this.#client = undefined;
    client.end(true);
  }
}

/** Resolves when the message is answered. @throws Error when the connection ends before, or no answer comes */
async function publish(client: MqttClient, topic: string, text: string, qos: 0 | 1 | 2): Promise<void> {
  // A connection that has ended meanwhile says nothing any more, and never answers.
  if (!client.connected) throw new Error('the connection ended');
  const over = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(new Error('the connection ended'));
  client.once('close', end);
  const late = sleep(ANSWER_LIMIT_MS, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error('no answer came')),
    () => {},
  );
  ended.promise.catch(() => {});
  late.catch(() => {});
  try {
    await Promise.race([client.publishAsync(topic, text, { qos }), ended.promise, late.then(() => ended.promise)]);
  } finally {
    over.abort();
    client.off('close', end);
  }
}
