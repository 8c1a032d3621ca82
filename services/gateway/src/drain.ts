/** Counts requests in flight, and says when none is left after new ones are turned away. */
export class Drain {
  #inFlight = 0;
  #isDraining = false;
  readonly #idle = Promise.withResolvers<void>();

  get isDraining(): boolean {
    return this.#isDraining;
  }

  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
    this.#settle();
  }

  /** From now on `isDraining`; resolves when nothing is in flight, or after `limitMs`. */
  async begin(limitMs: number): Promise<void> {
    this.#isDraining = true;
    this.#settle();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, limitMs);
    await Promise.race([this.#idle.promise, limit.promise]).finally(() => clearTimeout(timer));
  }

  #settle(): void {
    if (this.#isDraining && this.#inFlight === 0) this.#idle.resolve();
  }
}
