/** Wakes a worker that polls. A call of `wake` that comes while it works wakes it the next time. */
export class Wakeup {
  #woken = false;
  #answer: (() => void) | undefined;

  wake(): void {
    this.#woken = true;
    this.#answer?.();
  }

  /** Resolves at the next call of `wake`, at once for a call since the last time, or after `limitMs`. @returns whether it was woken */
  async woken(limitMs: number): Promise<boolean> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        this.#answer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const isWoken = this.#woken;
    this.#woken = false;
    this.#answer = undefined;
    return isWoken;
  }
}
