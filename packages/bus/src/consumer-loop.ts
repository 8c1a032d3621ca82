import { type Context, extractTrace, type Logger, SpanKind, withRequestId, withSpan } from '@catchment/telemetry';
import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { verdictOf } from './verdict.ts';

/** A message as handlers see it. */
export type BusMessage = {
  /** Without the installation's prefix. */
  readonly subject: string;
  readonly data: Uint8Array;
  /** Sequence in its stream: grows, never repeats. */
  readonly sequence: number;
  /** 1 on the first delivery. */
  readonly deliveries: number;
  readonly timeMs: number;
  /** The publisher's trace. */
  readonly trace: Context;
};

/**
 * Handles a batch; resolves when all of it is durable. May see a message again, so it is idempotent.
 * `signal` aborts well before the server would give the messages to another replica: a store write may not outlive it.
 */
export type BatchHandler = (messages: readonly BusMessage[], signal: AbortSignal) => Promise<void>;

export type DeadLetter = (message: JsMsg, reason: string) => Promise<void>;

type LoopOptions = {
  readonly stream: string;
  readonly consumer: string;
  readonly maxBatch: number;
  readonly workLimitMs: number;
  readonly stripPrefix: (subject: string) => string;
  readonly handle: BatchHandler;
  readonly deadLetter: DeadLetter;
  readonly log: Logger;
};

const RESTART_DELAY_MS = 500;

/** Pulls one durable consumer until stopped: batches of what has arrived, one batch at a time. */
export class ConsumerLoop {
  readonly #client: JetStreamClient;
  readonly #options: LoopOptions;
  readonly #queue: JsMsg[] = [];
  #wake: () => void = () => {};
  #messages: ConsumerMessages | undefined;
  #stopping = false;
  readonly #pulling: Promise<void>;
  readonly #working: Promise<void>;

  constructor(client: JetStreamClient, options: LoopOptions) {
    this.#client = client;
    this.#options = options;
    this.#pulling = this.#pull();
    this.#working = this.#work();
  }

  /** Finishes the batch in hand; what was fetched beyond it goes back at once. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#messages?.close();
    this.#wake();
    await Promise.all([this.#pulling, this.#working]);
    for (const message of this.#queue.splice(0)) message.nak();
  }

  async #pull(): Promise<void> {
    const { stream, consumer, maxBatch, log } = this.#options;
    while (!this.#stopping) {
      try {
        const pulled = await this.#client.consumers.get(stream, consumer);
        // Short heartbeats: a broker that was killed and came back is noticed within seconds.
        this.#messages = await pulled.consume({ max_messages: maxBatch, expires: 10_000, idle_heartbeat: 1_000 });
        if (this.#stopping) await this.#messages.close();
        for await (const message of this.#messages) {
          this.#queue.push(message);
          this.#wake();
        }
      } catch (err) {
        if (!this.#stopping) log.warn({ err, consumer }, 'consumer interrupted, trying again');
      }
      if (!this.#stopping) await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
    }
  }

  async #work(): Promise<void> {
    for (;;) {
      while (this.#queue.length === 0 && !this.#stopping) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#stopping) return;
      await this.#handleBatch(this.#queue.splice(0, this.#options.maxBatch));
    }
  }

  async #handleBatch(batch: readonly JsMsg[]): Promise<void> {
    try {
      await this.#run(batch);
      for (const message of batch) message.ack();
    } catch (error) {
      const [only, ...others] = batch;
      if (others.length === 0 && only) await this.#settle(only, error);
      // One bad message must not hold up the others: each is tried alone and gets its own verdict.
      else for (const message of batch) await this.#handleBatch([message]);
    }
  }

  #run(batch: readonly JsMsg[]): Promise<void> {
    const messages = batch.map((message) => this.#toMessage(message));
    const [first, ...others] = batch;
    const requestId = (others.length === 0 && first?.headers?.get('x-request-id')) || '-';
    const parent = others.length === 0 ? messages[0]?.trace : undefined;
    const linkedTraceparents = parent
      ? []
      : batch.map((one) => one.headers?.get('traceparent')).filter((text) => !!text);
    return withRequestId(requestId, () =>
      withSpan(
        `${this.#options.consumer.replace(/-\d+$/, '')} handle`,
        { kind: SpanKind.CONSUMER, ...(parent && { parent }), linkedTraceparents: linkedTraceparents as string[] },
        () => this.#options.handle(messages, AbortSignal.timeout(this.#options.workLimitMs)),
      ),
    );
  }

  async #settle(message: JsMsg, error: unknown): Promise<void> {
    const { log, consumer } = this.#options;
    const deliveries = message.info.deliveryCount;
    const verdict = verdictOf(error, deliveries);
    if (verdict.kind === 'ack') return message.ack();
    if (verdict.kind === 'retry') {
      log.warn({ err: error, consumer, deliveries, delayMs: verdict.delayMs }, 'message will be tried again');
      return message.nak(verdict.delayMs);
    }
    try {
      await this.#options.deadLetter(message, verdict.reason);
      log.error(
        { err: error, consumer, subject: message.subject, sequence: message.seq },
        'message became a dead letter',
      );
      // An ack, not a term: NATS 2.9 does not free the in-flight slot of a consumer after a term.
      message.ack();
    } catch (err) {
      log.warn({ err, consumer }, 'dead letter could not be stored, message will be tried again');
      message.nak(RESTART_DELAY_MS);
    }
  }

  #toMessage(message: JsMsg): BusMessage {
    const header = (name: string) => message.headers?.get(name) || undefined;
    return {
      subject: this.#options.stripPrefix(message.subject),
      data: message.data,
      sequence: message.seq,
      deliveries: message.info.deliveryCount,
      timeMs: Math.floor(message.info.timestampNanos / 1e6),
      trace: extractTrace({ traceparent: header('traceparent'), tracestate: header('tracestate') }),
    };
  }
}
