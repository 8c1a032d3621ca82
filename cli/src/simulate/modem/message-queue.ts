import type { ReportedDocument } from '../station/readings.ts';

/** A data message is not settled yet. */
export type Queued = { readonly seq: number; readonly jts: ReportedDocument; isSent: boolean };

/** A modem's memory keeps messages in the order of their sequence until they are settled; when full, it loses the oldest. */
export class MessageQueue {
  readonly #limit: number;
  readonly #messages: Queued[] = [];
  #lastSeq = 0;
  #lost = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#messages.length;
  }

  /** The full queue dropped these messages. */
  get lost(): number {
    return this.#lost;
  }

  get oldest(): Queued | undefined {
    return this.#messages[0];
  }

  add(jts: ReportedDocument): Queued {
    const message = { seq: ++this.#lastSeq, jts, isSent: false };
    this.#messages.push(message);
    if (this.#messages.length > this.#limit) {
      this.#messages.shift();
      this.#lost += 1;
    }
    return message;
  }

  /** Forgets the message with this sequence; @returns false when it is not there. */
  settle(seq: number): boolean {
    const at = this.#messages.findIndex((message) => message.seq === seq);
    if (at >= 0) this.#messages.splice(at, 1);
    return at >= 0;
  }

  /** Forgets all up to a sequence that the server has settled. @returns their sequences */
  settleUpTo(seq: number): number[] {
    const end = this.#messages.findIndex((message) => message.seq > seq);
    return this.#messages.splice(0, end < 0 ? this.#messages.length : end).map((message) => message.seq);
  }
}
