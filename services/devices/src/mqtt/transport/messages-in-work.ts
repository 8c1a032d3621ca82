import { Ending, REASON } from '../domain/reason.ts';
import type { HeldBytes } from './held-bytes.ts';

/** Messages of a connection that are not answered. */
export const IN_FLIGHT = 100;

/** The answer waits for its turn: PUBACK and PUBREC come in the order of the messages. */
type Answer = { send: (() => void) | undefined };

/** Follows the messages of a connection that are being stored, and answers them. */
export class MessagesInWork {
  readonly #bytes: HeldBytes;
  readonly #failed: (error: unknown) => void;
  readonly #isGone: () => boolean;
  readonly #answers: Answer[] = [];
  readonly #work = new Set<Promise<void>>();
  /** These packet ids of QoS 2 wait between PUBREC and PUBCOMP. */
  readonly received = new Set<number>();

  /** @param failed is called with the reason why a message has no answer */
  constructor(bytes: HeldBytes, failed: (error: unknown) => void, isGone: () => boolean) {
    this.#bytes = bytes;
    this.#failed = failed;
    this.#isGone = isGone;
  }

  get all(): Promise<unknown> {
    return Promise.all(this.#work);
  }

  async end(): Promise<void> {
    while (this.#work.size > 0) await this.all;
  }

  /** Waits until a message may begin. Clients of MQTT 5 know how many may be under way. */
  async room(isFive: boolean): Promise<void> {
    if (isFive && this.#answers.length >= IN_FLIGHT)
      throw new Ending(REASON.receiveMaximum, `at most ${IN_FLIGHT} messages may be without an answer`);
    if (this.received.size >= IN_FLIGHT)
      throw new Ending(REASON.receiveMaximum, `at most ${IN_FLIGHT} messages may be without PUBREL`);
    while (this.#work.size >= IN_FLIGHT) await Promise.race(this.#work);
  }

  start(bytes: number, work: () => Promise<void>): void {
    this.#bytes.inWork += bytes;
    const started = work()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#work.delete(started);
        this.#bytes.inWork -= bytes;
        this.#bytes.letGo();
      });
    this.#work.add(started);
  }

  /** @returns gives the answer of a message, which is sent after those before it */
  answer(): (send: () => void) => void {
    const answer: Answer = { send: undefined };
    this.#answers.push(answer);
    return (send) => {
      answer.send = send;
      while (this.#answers[0]?.send && !this.#isGone()) this.#answers.shift()?.send?.();
    };
  }
}
