/** Wakes a worker that polls. A ring that comes while it works wakes it the next time. */
export class Bell {
  #rung = false;
  #answer: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#answer?.();
  }

  /** Resolves at the next ring, at once for one since the last call, or after `limitMs`. @returns whether it was rung */
  async rung(limitMs: number): Promise<boolean> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        this.#answer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const isRung = this.#rung;
    this.#rung = false;
    this.#answer = undefined;
    return isRung;
  }
}
