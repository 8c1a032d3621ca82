import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

export type DrainLimits = {
  /** Open connections to clients. */
  readonly connections: () => Promise<number>;
  /** Shortest wait for clients that keep their connections open; each answer asks them to close. */
  readonly lingerMs: number;
  /** A pause of this length without any request ends the wait. */
  readonly quietMs: number;
  /** New requests are still served for this long: a busy cluster takes a while to stop sending them here. */
  readonly serveMs: number;
  /** Requests in flight may take so long, from the beginning. */
  readonly limitMs: number;
};

/** Stops a gateway without a failed request: clients are asked to leave, served until no request comes any more, then refused. */
export class Drain {
  #inFlight = 0;
  /** Requests so far. */
  #asked = 0;
  #state: 'open' | 'serving' | 'closed' | 'ended' = 'open';

  /** Answers close their connection. */
  get isDraining(): boolean {
    return this.#state !== 'open';
  }

  /** Refuses new requests. */
  get isClosed(): boolean {
    return this.#state === 'closed' || this.#state === 'ended';
  }

  /** Breaks off the requests that are still in flight. */
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
   * Resolves when no connection is left, when no request has come for a while after the shortest wait, or at a limit. Waits are
   * counted in polls, between which arrived requests are read: on a starved machine time alone passes without any of that.
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
