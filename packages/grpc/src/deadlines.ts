import { AsyncLocalStorage } from 'node:async_hooks';
import { Bag } from '@catchment/fair-queue';

export type Expiring = {
  /** Unix ms. */
  readonly deadlineMs: number;
  expire(): void;
};

/** A call ends at most this long after its deadline. */
const STEP_MS = 10;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A timer keeps the context in which it is made: it must be none of a call. */
const outside = AsyncLocalStorage.snapshot();

/** Ends what is late, by one timer for all: nearly all calls are answered long before their deadline, and a timer each costs more than they do. */
export class Deadlines {
  readonly #open = new Bag<Expiring>();
  #timer: NodeJS.Timeout | undefined;
  #nextMs = Number.POSITIVE_INFINITY;

  /** @returns forgets it, which whoever added it does also when it has expired */
  add(entry: Expiring): () => void {
    if (entry.deadlineMs < this.#nextMs) this.#schedule(entry.deadlineMs);
    return this.#open.add(entry);
  }

  #schedule(atMs: number): void {
    clearTimeout(this.#timer);
    this.#nextMs = atMs;
    this.#timer = undefined;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.min(Math.max(atMs - Date.now(), STEP_MS), LONGEST_TIMER_MS);
    this.#timer = outside(() => setTimeout(() => this.#expire(), waitMs)).unref();
  }

  #expire(): void {
    const nowMs = Date.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const call of this.#open.all()) if (call.deadlineMs <= nowMs) call.expire();
    for (const { deadlineMs } of this.#open.all()) nextMs = Math.min(nextMs, deadlineMs);
    this.#schedule(nextMs);
  }
}
