const SHORTEST_MS = 300;
/** A process that had become ready waits at most so long: its clients and neighbours wait, and it comes up when nothing kills it again. */
const LONGEST_ONCE_READY_MS = 1_000;
const LONGEST_MS = 10_000;
/** A process that ran this long before it died starts its delays anew. */
const STABLE_MS = 30_000;

/** A process came to its end like this. */
export type Run = { readonly ranMs: number; readonly wasReady: boolean };

/** The waits between the end of a process and its next start: each is twice the one before, up to a limit. */
export class RestartDelay {
  #nextMs = SHORTEST_MS;

  /** @returns milliseconds until the next start */
  after({ ranMs, wasReady }: Run): number {
    if (ranMs > STABLE_MS) this.#nextMs = SHORTEST_MS;
    const delayMs = Math.min(this.#nextMs, wasReady ? LONGEST_ONCE_READY_MS : LONGEST_MS);
    this.#nextMs = Math.min(this.#nextMs * 2, LONGEST_MS);
    return delayMs;
  }
}
