/** Squares of numbers from the first bound on are far from the smallest number, squares up to the second from the largest. */
const SMALL = 2 ** -400;
const LARGE = 2 ** 400;
const FACTOR = 2 ** 600;

/**
 * Computes the standard deviation of a sample (n − 1) in one pass (Welford). A factor keeps all squares within the range of
 * numbers.
 */
export class StandardDeviation {
  #count = 0;
  #mean = 0;
  #squares = 0;
  #factor = FACTOR;
  /** The factor suits numbers below this. */
  #bound = SMALL;

  reset(): void {
    this.#count = 0;
    this.#mean = 0;
    this.#squares = 0;
    this.#factor = FACTOR;
    this.#bound = SMALL;
  }

  add(value: number): void {
    if (Math.abs(value) >= this.#bound) this.#widen(Math.abs(value));
    const scaled = value * this.#factor;
    this.#count += 1;
    const distance = scaled - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (scaled - this.#mean);
  }

  value(): number {
    return this.#count < 2 ? Number.NaN : Math.sqrt(this.#squares / (this.#count - 1)) / this.#factor;
  }

  #widen(size: number): void {
    const factor = size < LARGE ? 1 : 1 / FACTOR;
    const change = factor / this.#factor;
    this.#mean *= change;
    this.#squares *= change;
    this.#squares *= change;
    this.#factor = factor;
    this.#bound = size < LARGE ? LARGE : Number.POSITIVE_INFINITY;
  }
}
