import { tooLarge } from '@catchment/errors';

/** One number out of the good values of an interval; `value` is called when there was at least one. */
export type Reducer = {
  reset(): void;
  add(value: number): void;
  value(): number;
};

/** Sums with what each addition lost (Neumaier), so that neither order nor cancellation shows. */
class Sum implements Reducer {
  protected count = 0;
  #sum = 0;
  #lost = 0;

  reset(): void {
    this.count = 0;
    this.#sum = 0;
    this.#lost = 0;
  }

  add(value: number): void {
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
    this.count += 1;
  }

  value(): number {
    // Out of the range of numbers the sum is no number.
    return Number.isFinite(this.#sum) ? this.#sum + this.#lost : this.#sum;
  }
}

class Average extends Sum {
  override value(): number {
    return super.value() / this.count;
  }
}

class Extremes implements Reducer {
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  readonly #pick: (extremes: Extremes) => number;

  constructor(pick: (extremes: Extremes) => number) {
    this.#pick = pick;
  }

  reset(): void {
    this.min = Number.POSITIVE_INFINITY;
    this.max = Number.NEGATIVE_INFINITY;
  }

  add(value: number): void {
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  value(): number {
    return this.#pick(this);
  }
}

class Delta implements Reducer {
  #first: number | undefined;
  #last = 0;

  reset(): void {
    this.#first = undefined;
  }

  add(value: number): void {
    this.#first ??= value;
    this.#last = value;
  }

  value(): number {
    return this.#last - (this.#first ?? 0);
  }
}

/** Holds the values of one interval. */
class Median implements Reducer {
  #values = new Float64Array(256);
  #count = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  reset(): void {
    this.#count = 0;
  }

  /** @throws DomainError too_large */
  add(value: number): void {
    if (this.#count >= this.#max) throw tooLarge(`aggregate: MEDIAN takes at most ${this.#max} records per interval`);
    if (this.#count === this.#values.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  value(): number {
    const sorted = this.#values.subarray(0, this.#count).sort();
    const upper = sorted[this.#count >> 1] ?? 0;
    if (this.#count % 2 === 1) return upper;
    const lower = sorted[(this.#count >> 1) - 1] ?? 0;
    const sum = lower + upper;
    return Number.isFinite(sum) ? sum / 2 : lower / 2 + upper / 2;
  }
}

/** Aggregates that are one number out of the good ones, whatever else there was. */
export type Reduced = 'AVERAGE' | 'MEDIAN' | 'TOTAL' | 'MIN' | 'MAX' | 'RANGE' | 'DELTA';

/** @param maxValues bound of what MEDIAN holds */
export function reducerOf(aggregate: Reduced, maxValues: number): Reducer {
  switch (aggregate) {
    case 'AVERAGE':
      return new Average();
    case 'MEDIAN':
      return new Median(maxValues);
    case 'TOTAL':
      return new Sum();
    case 'MIN':
      return new Extremes(({ min }) => min);
    case 'MAX':
      return new Extremes(({ max }) => max);
    case 'RANGE':
      return new Extremes(({ min, max }) => max - min);
    case 'DELTA':
      return new Delta();
  }
}
