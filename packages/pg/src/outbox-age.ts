/** Looks that are remembered: of more the one is forgotten whose neighbours are nearest to each other. */
const MOST_LOOKS = 100;

/**
 * Estimates how long the first message of an outbox has waited, seen from outside: a message is at least as old as the
 * first look that found it.
 */
export class OutboxAge {
  readonly #now: () => number;
  /** Ascending: the newest message of each look that found a new one. */
  #looks: { readonly newestId: number; readonly sinceMs: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param waiting ids of the first and the newest message; undefined = none waits
   * @returns age of the first one, ms; 0 for none
   */
  look(waiting: { readonly firstId: number; readonly newestId: number } | undefined): number {
    const nowMs = this.#now();
    if (!waiting) this.#looks = [];
    else {
      const { firstId, newestId } = waiting;
      this.#looks = this.#looks.filter((look) => look.newestId >= firstId);
      if ((this.#looks.at(-1)?.newestId ?? 0) < newestId) this.#looks.push({ newestId, sinceMs: nowMs });
      if (this.#looks.length > MOST_LOOKS) this.#looks.splice(this.#leastMissed(), 1);
    }
    return nowMs - (this.#looks[0]?.sinceMs ?? nowMs);
  }

  /** Finds the look that is missed least; it is neither the first nor the last one. */
  #leastMissed(): number {
    const gaps = this.#looks.slice(2).map(({ sinceMs }, index) => sinceMs - (this.#looks[index]?.sinceMs ?? 0));
    return 1 + gaps.indexOf(Math.min(...gaps));
  }
}
