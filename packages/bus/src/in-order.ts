/** A delivery has a place in its stream, and one among all deliveries of its consumer. */
export type Delivery = {
  /** Sequence in the stream. */
  readonly seq: number;
  /** Grows by one with every delivery of the consumer, to whichever replica. */
  readonly deliverySequence: number;
  /** 1 on the first delivery. */
  readonly deliveryCount: number;
};

/** The broker reports this state of a consumer at one moment. */
type ConsumerPosition = {
  /** Delivery sequence of the last. */
  readonly delivered: number;
  /** Messages that were delivered, to any replica, and are not acknowledged. */
  readonly ackPending: number;
};

/**
 * Says which deliveries may be handled without overtaking an earlier message, where a consumer has several in flight and
 * several replicas may pull. Two proofs, neither needs a lease:
 *
 * - First deliveries go out in the order of the stream. Where everything up to one delivery is in order, the very next
 *   delivery of the consumer, when it is a first one, is in order as well.
 * - Where the chain is broken (start, redelivery, another replica got some), the broker is asked: when all unacknowledged
 *   messages are in these hands, nothing earlier is unfinished, and their own order is known.
 */
export class InOrder<T extends Delivery> {
  #safe: T[] = [];
  #unproven: T[] = [];
  /** This delivery continues the chain; undefined while it is broken. */
  #next: number | undefined;
  #span = 0;

  add(delivery: T): void {
    if (this.#unproven.length === 0 && delivery.deliveryCount === 1 && delivery.deliverySequence === this.#next) {
      this.#next += 1;
      this.#safe.push(delivery);
      return;
    }
    this.#unproven.push(delivery);
    this.#span += 1;
  }

  /** Returns another number after each break of the chain: while it stays, every delivery of the consumer has come here, in order. */
  get span(): number {
    return this.#span;
  }

  /** Returns whether all deliveries up to one are known to have come here, or to have been finished before the span began. */
  hasAll({ delivered }: ConsumerPosition): boolean {
    return this.#next !== undefined && this.#unproven.length === 0 && delivered < this.#next;
  }

  /**
   * Begins a chain where nothing is under way anywhere: everything delivered so far is finished.
   * @returns false where something is
   */
  begin({ delivered, ackPending }: ConsumerPosition): boolean {
    if (ackPending > 0 || this.size > 0) return false;
    this.#next = delivered + 1;
    this.#span += 1;
    return true;
  }

  get size(): number {
    return this.#safe.length + this.#unproven.length;
  }

  /** Messages are here, and none may be handled before the broker has answered. */
  get isBlocked(): boolean {
    return this.#safe.length === 0 && this.#unproven.length > 0;
  }

  /** Takes up to `max` deliveries in the order of the stream. */
  take(max: number): T[] {
    return this.#safe.splice(0, max);
  }

  /** Puts back the batch that was taken last and could not be handled; it comes first again. */
  putBack(deliveries: readonly T[]): void {
    this.#safe.unshift(...deliveries);
  }

  /**
   * Tries the second proof; to be called while blocked and with no unacknowledged message taken.
   * @returns false when others hold unacknowledged messages, or deliveries are still on their way here
   */
  prove({ delivered, ackPending }: ConsumerPosition): boolean {
    const bySeq = new Map<number, T>();
    for (const message of this.#unproven) if (message.deliverySequence <= delivered) bySeq.set(message.seq, message);
    if (bySeq.size === 0 || bySeq.size !== ackPending) return false;
    const later = this.#unproven.filter((message) => message.deliverySequence > delivered);
    this.#safe = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
    this.#next = delivered + 1;
    this.#span += 1;
    this.#unproven = [];
    for (const message of later) this.add(message);
    return true;
  }

  /** Gives up all that is here and the chain. */
  clear(): T[] {
    const all = [...this.#safe, ...this.#unproven];
    this.#safe = [];
    this.#unproven = [];
    this.#next = undefined;
    this.#span += 1;
    return all;
  }

  [Symbol.iterator](): Iterator<T> {
    return [...this.#safe, ...this.#unproven][Symbol.iterator]();
  }
}
