/** Lets few of many go on at once, first come, first served; those for whom there is no room to wait are told at once. */
export class Turns {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }) {
    this.#free = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Resolves when it is the caller's turn. @returns what ends the turn; undefined: too many wait */
  async take(): Promise<(() => void) | undefined> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#maxWaiting) return undefined;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }
}
