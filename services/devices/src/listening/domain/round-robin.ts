type RoundRobinLimits = {
  /** Clients that proceed together. */
  readonly atOnce: number;
  readonly maxWaiting: number;
  /** One client may have this many waiting. */
  readonly maxWaitingEach: number;
};

/**
 * Lets few of many go on at once: clients take turns, so that one with many requests makes no other wait longer, and the requests
 * of one client come in their order. A client for which there is no room to wait is refused at once.
 */
export class RoundRobin {
  readonly #limits: RoundRobinLimits;
  /** Waiting requests by client; the first client is served next. */
  readonly #queues = new Map<string, (() => void)[]>();
  #waiting = 0;
  #free: number;

  constructor(limits: RoundRobinLimits) {
    this.#limits = limits;
    this.#free = limits.atOnce;
  }

  /** Resolves when it is the client's turn. @returns what ends the turn; undefined: too many wait */
  async take(client: string): Promise<(() => void) | undefined> {
    if (this.#free > 0) this.#free -= 1;
    else {
      const queue = this.#queues.get(client) ?? [];
      if (this.#waiting >= this.#limits.maxWaiting || queue.length >= this.#limits.maxWaitingEach) return undefined;
      this.#waiting += 1;
      this.#queues.set(client, queue);
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    return () => this.#next();
  }

  #next(): void {
    const [first] = this.#queues;
    if (!first) {
      this.#free += 1;
      return;
    }
    const [client, queue] = first;
    this.#queues.delete(client);
    const next = queue.shift();
    if (queue.length > 0) this.#queues.set(client, queue);
    this.#waiting -= 1;
    next?.();
  }
}
