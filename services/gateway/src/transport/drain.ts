import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

export type DrainLimits = {
  /** Open connections to clients. */
  readonly connections: () => Promise<number>;
  /** How long clients that keep their connections open are waited for at least, each answer asking them to close. */
  readonly lingerMs: number;
  /** After that, a time without any request is the end. */
  readonly quietMs: number;
  /** How long requests are served as long as they come: on a busy cluster it takes a while until nobody sends any here. */
  readonly serveMs: number;
  /** How long requests in flight may take, from the beginning. */
  readonly limitMs: number;
};

/** The end of a gateway without a failed request: clients are asked to leave, served until none comes any more, then turned away. */
export class Drain {
  #inFlight = 0;
  /** Requests so far. */
  #asked = 0;
  #state: 'open' | 'serving' | 'closed' | 'ended' = 'open';

  /** Answers close their connection. */
  get isDraining(): boolean {
    return this.#state !== 'open';
  }

  /** New requests are turned away. */
  get isClosed(): boolean {
    return this.#state === 'closed' || this.#state === 'ended';
  }

  /** What is still in flight is cut off. */
  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  enter(): void {
    this.#inFlight += 1;
    this.#asked += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  /**
   * Resolves when no connection is left, or nothing has been asked for a while after the time to leave, or a limit is over. Waits are
   * counted in looks, between which what has arrived is read: on a starved machine time alone passes without any of it.
   */
  async begin({ connections, lingerMs, quietMs, serveMs, limitMs }: DrainLimits): Promise<void> {
    this.#state = 'serving';
    const beganMs = performance.now();
    let quietLooks = 0;
    for (let looks = 0; performance.now() - beganMs < serveMs; looks += 1) {
      if ((await connections()) === 0) break;
      if (looks >= lingerMs / LOOK_EVERY_MS && quietLooks >= quietMs / LOOK_EVERY_MS && this.#inFlight === 0) break;
      const asked = this.#asked;
      await delay(LOOK_EVERY_MS);
      quietLooks = this.#asked === asked && this.#inFlight === 0 ? quietLooks + 1 : 0;
    }
    this.#state = 'closed';
    while (this.#inFlight > 0 && performance.now() - beganMs < limitMs) await delay(LOOK_EVERY_MS);
    this.#state = 'ended';
  }
}
