import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

export type DrainLimits = {
  /** Open connections to clients. */
  readonly connections: () => Promise<number>;
  /** How long clients that keep their connections open are still served, each answer asking them to close. */
  readonly lingerMs: number;
  /** How long requests in flight may take after that. */
  readonly limitMs: number;
};

/** The end of a gateway without a failed request: clients are asked to leave, then turned away, then waited for. */
export class Drain {
  #inFlight = 0;
  #state: 'open' | 'lingering' | 'closed' = 'open';
  readonly #idle = Promise.withResolvers<void>();

  /** Answers close their connection. */
  get isDraining(): boolean {
    return this.#state !== 'open';
  }

  /** New requests are turned away. */
  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
    this.#settle();
  }

  /** Resolves when no connection is left, or nothing is in flight after the time to leave, or the limit is over. */
  async begin({ connections, lingerMs, limitMs }: DrainLimits): Promise<void> {
    this.#state = 'lingering';
    const endMs = performance.now() + lingerMs;
    while (performance.now() < endMs && (await connections()) > 0) await delay(LOOK_EVERY_MS);
    this.#state = 'closed';
    this.#settle();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, limitMs);
    await Promise.race([this.#idle.promise, limit.promise]).finally(() => clearTimeout(timer));
  }

  #settle(): void {
    if (this.#state === 'closed' && this.#inFlight === 0) this.#idle.resolve();
  }
}
