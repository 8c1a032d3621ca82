type TurnLimits = {
  /** Clients that proceed together. */
  readonly atOnce: number;
  readonly maxWaiting: number;
  /** Most that one client may have waiting. */
  readonly maxWaitingEach: number;
};

/**
 * Lets few of many go on at once: clients take turns, so that one with many requests makes no other wait longer, and the requests
 * of one client come in their order. A client for which there is no room to wait is refused at once.
 */
export class Turns {
  readonly #limits: TurnLimits;
  /** By client, the one whose turn is next first. */
  readonly #lines = new Map<string, (() => void)[]>();
  #waiting = 0;
  #free: number;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    this.#free = limits.atOnce;
  }

  /** Resolves when it is the client's turn. @returns what ends the turn; undefined: too many wait */
  async take(client: string): Promise<(() => void) | undefined> {
    if (this.#free > 0) this.#free -= 1;
    else {
      const line = this.#lines.get(client) ?? [];
      if (this.#waiting >= this.#limits.maxWaiting || line.length >= this.#limits.maxWaitingEach) return undefined;
      this.#waiting += 1;
      this.#lines.set(client, line);
      await new Promise<void>((resolve) => line.push(resolve));
    }
    return () => this.#next();
  }

  #next(): void {
    const [first] = this.#lines;
    if (!first) {
      this.#free += 1;
      return;
    }
    const [client, line] = first;
    this.#lines.delete(client);
    const next = line.shift();
    if (line.length > 0) this.#lines.set(client, line);
    this.#waiting -= 1;
    next?.();
  }
}
