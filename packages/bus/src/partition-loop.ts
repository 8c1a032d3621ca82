import { setTimeout as delay } from 'node:timers/promises';
import { Rounds } from '@catchment/fair-queue';
import {
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  JetStreamError,
  type JsMsg,
} from '@nats-io/jetstream';
import { ACK_WAIT_MS } from './consumers.ts';
import { answerSubjectOf, handleDelivered, type LoopOptions } from './delivered.ts';
import { type Delivery, InOrder } from './in-order.ts';
import { isSameConsumer, makeLostConsumer } from './lost-consumer.ts';
import { verdictOf } from './verdict.ts';

/** A message in hand; `touchedMs` is when the broker last began to wait for its acknowledgement. */
type Held = Delivery & { readonly message: JsMsg; touchedMs: number };

const RESTART_DELAY_MS = 500;
/** A replica that finds another one reading looks again after about this time. */
const STANDBY_MS = 1_000;
/**
 * The client takes a broker for lost that was silent for as long as a pull: one whose processor or disk is busy may say
 * nothing for seconds.
 */
const PULL_MS = 4_000;
/** A pull may be broken off where nothing has arrived for this long: hardly anything can be on its way. */
const QUIET_MS = 250;
const ASK_AGAIN_MS = 50;
const YIELDING_ASK_MS = 250;
/**
 * Messages are held for a random time between these before they are given back, when another replica has the messages before them. The
 * replica that gives back first needs `QUIET_MS` for it, and the other one goes on if it has not begun to give back as well. The first one
 * to give back needs `QUIET_MS` for it, and the other one goes on, where it has not begun to give back as well.
 */
const YIELD_AFTER_MS = { least: 500, most: 4_000 };
/** So many times a full batch are the acknowledgements that are sent again. A broker keeps about ten times a second which ones it has. */
const BATCHES_REMEMBERED = 4;
/** The broker gets a progress message after this long … */
const TOUCH_AFTER_MS = 5_000;
/** … and a message without one for this long may be redelivered to another replica: it is not begun any more. */
const LOST_AFTER_MS = ACK_WAIT_MS - 5_000;

/**
 * Reads one partition of a log in strict order, several messages at a time. Any number of replicas may run it: one pulls,
 * the others stand by; should two pull at once, order still holds, because only what `InOrder` proves is handled.
 * A message that fails holds up those behind it until its verdict is final.
 */
export class PartitionLoop {
  readonly #client: JetStreamClient;
  readonly #options: LoopOptions;
  readonly #held = new InOrder<Held>();
  readonly #stopped = new AbortController();
  /** A loop that yields handles nothing any more; its messages go back when the running pull is over. */
  #isYielding = false;
  #consumer: Consumer | undefined;
  /** The consumer whose deliveries are counted was made then, as the broker says it. */
  #chainedTo: string | undefined;
  #running: ConsumerMessages | undefined;
  /** Acknowledgements of the messages that were finished last go here, and their consumer was made then. */
  #finished: { readonly to: string; readonly consumerMade: string | undefined }[] = [];
  /** The consumer that is read was made then, as the broker says it. */
  #consumerMade: string | undefined;
  /** The time of the last message or pull. */
  #movedMs = Number.NEGATIVE_INFINITY;
  readonly #rounds: Rounds;
  /** Messages still to be handled one by one, because their batch failed. */
  #alone = 0;
  /** Failures of the message that is handled alone now. */
  #failures = 0;
  readonly #pulling: Promise<void>;

  constructor(client: JetStreamClient, options: LoopOptions) {
    this.#client = client;
    this.#options = options;
    this.#rounds = new Rounds({
      afterTurn: true,
      lingerMs: options.gatherMs ?? 0,
      waiting: () => (this.#isYielding ? 0 : this.#held.size),
      isFull: () => this.#held.size >= options.maxBatch,
      work: () => this.#handleNext(),
    });
    this.#pulling = this.#pull();
  }

  /** Finishes the current batch; messages fetched beyond it go back. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    void this.#endPull();
    await Promise.all([this.#pulling, this.#rounds.stop()]);
    await this.#leavePull();
    this.#giveBack();
  }

  /** Returns another number after each moment in which a delivery may have gone to another replica. */
  get span(): number {
    return this.#held.span;
  }

  /**
   * Asks the broker for all that the consumer has delivered.
   * @returns `span`: everything since it began came here, and everything before was finished; undefined where that is not so, or not known
   */
  async heldSpan(): Promise<number | undefined> {
    const info = await this.#consumer?.info().catch(() => undefined);
    // A server that was cut off from a cluster may answer for a consumer that others deliver for by now.
    if (!info || this.#isStopping || (info.cluster?.replicas?.length ?? 0) > 0) return undefined;
    const position = { delivered: info.delivered.consumer_seq, ackPending: info.num_ack_pending };
    // Deliveries of a consumer that was made again are counted from one again.
    const isSame = info.created === this.#chainedTo;
    if (isSame && this.#held.hasAll(position)) return this.#held.span;
    if (!this.#held.begin(position)) return undefined;
    this.#chainedTo = info.created;
    return this.#held.span;
  }

  /** Forgets what the broker knew of these hands, which is uncertain after the connection was lost. */
  reconnected(): void {
    this.#giveBack();
    void this.#acknowledgeAgain();
  }

  async #pull(): Promise<void> {
    const { stream, consumer, log } = this.#options;
    while (!this.#isStopping) {
      let pauseMs = STANDBY_MS * (0.5 + Math.random());
      try {
        this.#consumer ??= await this.#client.consumers.get(stream, consumer);
        const { created, num_waiting } = await this.#consumer.info();
        this.#consumerMade = created;
        if (num_waiting === 0) await this.#fetch(this.#consumer);
      } catch (err) {
        pauseMs = RESTART_DELAY_MS;
        this.#consumer = undefined;
        if (!this.#isStopping) {
          log.warn({ err, consumer }, 'consumer interrupted, trying again');
          // Deliveries of another consumer are counted from one again.
          if (await makeLostConsumer(err, this.#options)) this.#giveBack();
        }
      }
      await this.#pause(pauseMs);
    }
  }

  /** Pulls until this replica stops or yields. */
  async #fetch(consumer: Consumer): Promise<void> {
    const { maxBatch, log, consumer: name } = this.#options;
    while (this.#isPulling) {
      this.#running = await consumer.fetch({ max_messages: maxBatch, expires: PULL_MS, idle_heartbeat: PULL_MS / 2 });
      this.#movedMs = performance.now();
      if (this.#isStopping) void this.#endPull();
      try {
        for await (const message of this.#running) this.#take(message);
      } catch (err) {
        if (!isSilence(err)) throw err;
        // The next pull shows at once if the broker is there; the client's own pings notice a lost connection.
        log.info({ consumer: name, silentMs: PULL_MS }, 'broker was silent, pulling again');
      }
      this.#running = undefined;
    }
    if (this.#isYielding) await this.#leavePull();
    // The order may have been proven meanwhile.
    if (this.#isYielding) this.#giveBack();
    this.#isYielding = false;
  }

  #take(message: JsMsg): void {
    this.#movedMs = performance.now();
    const { streamSequence: seq, deliverySequence, deliveryCount } = message.info;
    this.#held.add({ message, seq, deliverySequence, deliveryCount, touchedMs: this.#movedMs });
    this.#rounds.arrived();
  }

  /**
   * Ends the pull of a replica that stops or yields: lets it run full, or breaks it off when nothing comes any more. A
   * pull that is broken off earlier leaves messages in flight without a receiver, and the partition waiting for them.
   */
  async #endPull(): Promise<void> {
    const running = this.#running;
    let leftMs = QUIET_MS;
    while (running && this.#running === running && leftMs > 0) {
      leftMs = this.#movedMs + QUIET_MS - performance.now();
      if (leftMs > 0) await delay(leftMs);
    }
    if (this.#running === running && !this.#isPulling) running?.stop();
  }

  /**
   * Leaves a pull that was broken off, before its messages are given back. NATS 2.9 takes the first message out of its queue for the pull
   * that is gone, and gives it to nobody until `ACK_WAIT_MS` have passed. When the consumer reports its state, it removes such pulls.
   * Without an answer, messages come again after that time.
   */
  async #leavePull(): Promise<void> {
    if (this.#held.size > 0) await this.#consumer?.info().catch(() => {});
  }

  async #handleNext(): Promise<void> {
    if (!this.#keepAlive() || (this.#held.isBlocked && !(await this.#proveOrder()))) return;
    await this.#handle(this.#held.take(this.#alone > 0 ? 1 : this.#options.maxBatch));
  }

  /**
   * Polls the broker until the order is proven. Earlier messages at another replica may be finished meanwhile; where they are not,
   * these go back when the pull is over.
   * @returns false when these were given back
   */
  async #proveOrder(): Promise<boolean> {
    const { least, most } = YIELD_AFTER_MS;
    const yieldMs = performance.now() + least + (most - least) * Math.random();
    while (!this.#isStopping) {
      // A broker that does not answer proves nothing; the pull says so.
      const info = await this.#consumer?.info().catch(() => undefined);
      if (this.#held.size === 0) return false;
      if (info && this.#held.prove({ delivered: info.delivered.consumer_seq, ackPending: info.num_ack_pending })) {
        this.#chainedTo = info.created;
        this.#isYielding = false;
        return true;
      }
      if (!this.#isYielding && performance.now() > yieldMs) {
        this.#isYielding = true;
        void this.#endPull();
      }
      await this.#pause(this.#isYielding ? YIELDING_ASK_MS : ASK_AGAIN_MS);
    }
    return false;
  }

  async #handle(batch: readonly Held[]): Promise<void> {
    const messages = batch.map(({ message }) => message);
    try {
      await handleDelivered(messages, this.#options);
    } catch (error) {
      const [only, ...others] = batch;
      if (only && others.length === 0) return this.#settle(only, error);
      // One bad message must not hold up the others: each is tried alone and gets its own verdict.
      this.#alone = batch.length;
      return this.#held.putBack(batch);
    }
    await this.#done(messages);
  }

  async #settle(held: Held, error: unknown): Promise<void> {
    const { log, consumer, deadLetter } = this.#options;
    const { message } = held;
    // A message that was given back, or whose reader died, has been delivered more often, and has not failed.
    const failures = this.#failures + 1;
    const verdict = verdictOf(error, failures);
    if (verdict.kind === 'ack') return this.#done([message]);
    let delayMs = RESTART_DELAY_MS;
    if (verdict.kind === 'retry') {
      delayMs = verdict.delayMs;
      log.warn({ err: error, consumer, failures, delayMs }, 'message will be tried again');
    } else {
      try {
        await deadLetter(message, verdict.reason);
        log.error(
          { err: error, consumer, subject: message.subject, sequence: held.seq },
          'message became a dead letter',
        );
        // An ack, not a term: NATS 2.9 does not free the in-flight slot of a consumer after a term.
        return this.#done([message]);
      } catch (err) {
        log.warn({ err, consumer }, 'dead letter could not be stored, message will be tried again');
      }
    }
    this.#failures += 1;
    this.#alone = Math.max(this.#alone, 1);
    this.#held.putBack([held]);
    await this.#waitHolding(delayMs);
  }

  /** Acknowledges; only when the broker has confirmed that are later messages handled. */
  async #done(messages: readonly JsMsg[]): Promise<void> {
    this.#alone = Math.max(0, this.#alone - messages.length);
    this.#failures = 0;
    const finished = messages.map((message) => ({ to: answerSubjectOf(message), consumerMade: this.#consumerMade }));
    this.#finished = [...this.#finished, ...finished].slice(-BATCHES_REMEMBERED * this.#options.maxBatch);
    for (const message of messages.slice(0, -1)) message.ack();
    const last = messages.at(-1);
    try {
      if (last) await this.#options.acknowledge(last);
    } catch (err) {
      this.#options.log.warn({ err, consumer: this.#options.consumer }, 'acknowledgement was not confirmed');
      this.#giveBack();
      void this.#acknowledgeAgain();
    }
  }

  /**
   * Acknowledges once more what was finished here. Acknowledgements are lost with a connection, and with a broker that is killed: it would
   * deliver those messages again after `ACK_WAIT_MS`, and the partition would wait for them.
   */
  async #acknowledgeAgain(): Promise<void> {
    while (!this.#isStopping && this.#finished.length > 0) {
      const info = await this.#consumer?.info().catch(() => undefined);
      if (info) {
        // In a stream that was made anew, other messages have these numbers.
        for (const { to, consumerMade } of this.#finished)
          if (isSameConsumer(consumerMade, info.created)) this.#options.acknowledgeAgain(to);
        return;
      }
      await this.#pause(RESTART_DELAY_MS);
    }
  }

  /**
   * Reports to the broker, when it is time, that the messages in hand are worked on.
   * @returns false when it is too late
   */
  #keepAlive(): boolean {
    const now = performance.now();
    const oldestMs = Math.min(...[...this.#held].map(({ touchedMs }) => touchedMs));
    if (now - oldestMs < TOUCH_AFTER_MS) return true;
    if (now - oldestMs > LOST_AFTER_MS) {
      this.#held.clear();
      return false;
    }
    for (const held of this.#held) {
      held.message.working();
      held.touchedMs = now;
    }
    return true;
  }

  async #waitHolding(delayMs: number): Promise<void> {
    for (let leftMs = delayMs; leftMs > 0 && !this.#isStopping; leftMs -= TOUCH_AFTER_MS) {
      await this.#pause(Math.min(leftMs, TOUCH_AFTER_MS));
      this.#keepAlive();
    }
  }

  #giveBack(): void {
    for (const { message } of this.#held.clear()) message.nak();
    this.#alone = 0;
    this.#failures = 0;
  }

  get #isPulling(): boolean {
    return !this.#isStopping && !this.#isYielding;
  }

  get #isStopping(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopped.signal }).catch(() => {});
  }
}

const isSilence = (error: unknown): boolean => error instanceof JetStreamError && error.message === 'heartbeats missed';
