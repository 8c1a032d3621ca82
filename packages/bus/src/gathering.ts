import { setTimeout as delay } from 'node:timers/promises';

type GatheringClock = {
  /** Milliseconds that only grow. */
  now(): number;
  /** Resolves after the time, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

const CLOCK: GatheringClock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
};

/** Lets messages gather while the last batch is recent: a busy reader works in few large batches, a quiet one at once. */
export class Gathering {
  readonly #gatherMs: number;
  readonly #isFull: () => boolean;
  readonly #clock: GatheringClock;
  #begunMs = Number.NEGATIVE_INFINITY;
  #waiting: AbortController | undefined;

  /** @param isFull whether the messages make a batch that cannot grow */
  constructor(gatherMs: number, isFull: () => boolean, clock: GatheringClock = CLOCK) {
    this.#gatherMs = gatherMs;
    this.#isFull = isFull;
    this.#clock = clock;
  }

  /** Resolves when the next batch is to begin: at once when it is full. */
  async wait(stopped: AbortSignal): Promise<void> {
    const leftMs = this.#begunMs + this.#gatherMs - this.#clock.now();
    if (leftMs > 0 && !this.#isFull()) {
      this.#waiting = new AbortController();
      await this.#clock.sleep(leftMs, AbortSignal.any([stopped, this.#waiting.signal]));
      this.#waiting = undefined;
    }
    this.#begunMs = this.#clock.now();
  }

  /** To be called with every message that comes. */
  arrived(): void {
    if (this.#waiting && this.#isFull()) this.#waiting.abort();
  }
}
