import { Gather } from '@catchment/fair-queue';
import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { handleDelivered, type LoopOptions } from './delivered.ts';
import { makeLostConsumer } from './lost-consumer.ts';
import { verdictOf } from './verdict.ts';

const RESTART_DELAY_MS = 500;

/** Pulls one durable consumer until stopped: batches of what has arrived, one batch at a time, or some messages each by itself. */
export class ConsumerLoop {
  readonly #client: JetStreamClient;
  readonly #options: LoopOptions;
  readonly #gather: Gather<JsMsg>;
  #messages: ConsumerMessages | undefined;
  #isStopping = false;
  readonly #pulling: Promise<void>;

  constructor(client: JetStreamClient, options: LoopOptions) {
    this.#client = client;
    this.#options = options;
    const { alone, maxBatch, gatherMs = 0 } = options;
    // The broker gives no more messages than may be without acknowledgement.
    this.#gather = new Gather<JsMsg>({
      afterTurn: true,
      ...(alone ? { batch: { items: 1 }, atOnce: maxBatch } : { batch: { items: maxBatch }, lingerMs: gatherMs }),
      // One bad message must not hold up the others: each is tried alone and gets its own verdict.
      splits: () => true,
      work: (batch) => this.#handle(batch.map(({ item }) => item)),
    });
    this.#pulling = this.#pull();
  }

  /** Finishes the current batch; messages fetched beyond it go back at once. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#messages?.stop();
    await Promise.all([this.#pulling, this.#gather.stop()]);
    for (const message of this.#gather.drop()) message.nak();
  }

  async #pull(): Promise<void> {
    const { stream, consumer, maxBatch, log } = this.#options;
    while (!this.#isStopping) {
      try {
        const pulled = await this.#client.consumers.get(stream, consumer);
        // Heartbeats are short: a broker that was killed and came back is noticed within seconds.
        this.#messages = await pulled.consume({
          max_messages: maxBatch,
          expires: 10_000,
          idle_heartbeat: 1_000,
          // The library would wait until somebody else makes a consumer that is not there any more.
          abort_on_missing_resource: true,
        });
        if (this.#isStopping) return this.#messages.stop();
        for await (const message of this.#messages) void this.#gather.add(message);
      } catch (err) {
        if (!this.#isStopping) {
          log.warn({ err, consumer }, 'consumer interrupted, trying again');
          await makeLostConsumer(err, this.#options);
        }
      }
      if (!this.#isStopping) await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
    }
  }

  async #handle(batch: readonly JsMsg[]): Promise<void> {
    try {
      await handleDelivered(batch, this.#options);
    } catch (error) {
      const [only, ...others] = batch;
      if (!only || others.length > 0) throw error;
      await this.#settle(only, error);
      return;
    }
    for (const message of batch) message.ack();
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
