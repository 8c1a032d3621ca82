import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { handleDelivered, type LoopOptions } from './delivered.ts';
import { Gathering } from './gathering.ts';
import { makeLostConsumer } from './lost-consumer.ts';
import { verdictOf } from './verdict.ts';

const RESTART_DELAY_MS = 500;

/** Pulls one durable consumer until stopped: batches of what has arrived, one batch at a time, or some messages each by itself. */
export class ConsumerLoop {
  readonly #client: JetStreamClient;
  readonly #options: LoopOptions;
  readonly #queue: JsMsg[] = [];
  #wake: () => void = () => {};
  #messages: ConsumerMessages | undefined;
  readonly #stopped = new AbortController();
  readonly #gathering: Gathering;
  readonly #pulling: Promise<void>;
  readonly #working: Promise<void>;

  constructor(client: JetStreamClient, options: LoopOptions) {
    this.#client = client;
    this.#options = options;
    this.#gathering = new Gathering(options.gatherMs ?? 0, () => this.#queue.length >= options.maxBatch);
    this.#pulling = this.#pull();
    this.#working = this.#work();
  }

  /** Finishes the current batch; messages fetched beyond it go back at once. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#messages?.stop();
    this.#wake();
    await Promise.all([this.#pulling, this.#working]);
    for (const message of this.#queue.splice(0)) message.nak();
  }

  async #pull(): Promise<void> {
    const { stream, consumer, maxBatch, log } = this.#options;
    while (!this.#isStopping) {
      try {
        const pulled = await this.#client.consumers.get(stream, consumer);
        // Short heartbeats: a broker that was killed and came back is noticed within seconds.
        this.#messages = await pulled.consume({
          ...{ max_messages: maxBatch, expires: 10_000, idle_heartbeat: 1_000 },
          // The library would wait until somebody else makes a consumer that is not there any more.
          abort_on_missing_resource: true,
        });
        if (this.#isStopping) return this.#messages.stop();
        for await (const message of this.#messages) {
          this.#queue.push(message);
          this.#gathering.arrived();
          this.#wake();
        }
      } catch (err) {
        if (!this.#isStopping) {
          log.warn({ err, consumer }, 'consumer interrupted, trying again');
          await makeLostConsumer(err, this.#options);
        }
      }
      if (!this.#isStopping) await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
    }
  }

  async #work(): Promise<void> {
    const { alone, maxBatch } = this.#options;
    const inHand = new Set<Promise<void>>();
    while (await this.#hasMessages()) {
      if (!alone) {
        await this.#gathering.wait(this.#stopped.signal);
        if (this.#isStopping) break;
        await this.#handleBatch(this.#queue.splice(0, maxBatch));
        continue;
      }
      const handled = this.#handleBatch(this.#queue.splice(0, 1)).finally(() => inHand.delete(handled));
      inHand.add(handled);
      if (inHand.size >= maxBatch) await Promise.race(inHand);
    }
    await Promise.all(inHand);
  }

  get #isStopping(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Waits for messages. @returns false when the loop is to stop */
  async #hasMessages(): Promise<boolean> {
    while (this.#queue.length === 0 && !this.#isStopping) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return !this.#isStopping;
  }

  async #handleBatch(batch: readonly JsMsg[]): Promise<void> {
    try {
      await handleDelivered(batch, this.#options);
      for (const message of batch) message.ack();
    } catch (error) {
      const [only, ...others] = batch;
      if (others.length === 0 && only) await this.#settle(only, error);
      // One bad message must not hold up the others: each is tried alone and gets its own verdict.
      else for (const message of batch) await this.#handleBatch([message]);
    }
  }

  async #settle(message: JsMsg, error: unknown): Promise<void> {
    const { log, consumer, deadLetter } = this.#options;
    const deliveries = message.info.deliveryCount;
    const verdict = verdictOf(error, deliveries);
    if (verdict.kind === 'ack') return message.ack();
    if (verdict.kind === 'retry') {
      log.warn({ err: error, consumer, deliveries, delayMs: verdict.delayMs }, 'message will be tried again');
      return message.nak(verdict.delayMs);
    }
    try {
      await deadLetter(message, verdict.reason);
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
}
