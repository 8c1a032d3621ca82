/** The next additions might leave the range of numbers from here on; sums go on in a smaller unit then, which costs no digit. */
const LARGE = 2 ** 1000;
const UNIT = 2 ** 60;

/** Adds values and what each addition lost (Neumaier), so that neither order, cancellation nor a large sum on the way shows. */
export class Sum {
  protected count = 0;
  #sum = 0;
  #lost = 0;
  #unit = 1;

  reset(): void {
    this.count = 0;
    this.#sum = 0;
    this.#lost = 0;
    this.#unit = 1;
  }

  add(number: number): void {
    const value = this.#unit === 1 ? number : number / this.#unit;
    const sum = this.#sum + value;
    if (this.#unit === 1 && !(Math.abs(sum) < LARGE && Math.abs(value) < LARGE)) {
      this.#unit = UNIT;
      this.#sum /= UNIT;
      this.#lost /= UNIT;
      this.add(number);
      return;
    }
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
    this.count += 1;
  }

  value(): number {
    return (this.#sum + this.#lost) * this.#unit;
  }

  /** Returns the sum divided by `parts`, within the range of numbers even where the sum is beyond it. */
  protected share(parts: number): number {
    return ((this.#sum + this.#lost) / parts) * this.#unit;
  }
}

export class Average extends Sum {
  override value(): number {
    return this.share(this.count);
  }
}
