import type { Outcome, Periodic, Sample } from '../../columns/index.ts';
import { BAD_NO_DATA, GOOD_NO_DATA, SUBNORMAL } from './quality-codes.ts';
import { type Figure, type Reduced, type Reducer, reducerOf } from './reducers.ts';
import { Sum } from './sums.ts';

/** Result of one interval (docs/reference/aggregates.md#definitions). Samples come in the order of their times. */
export type Accumulator = {
  /** Begins another interval. */
  reset(): void;
  add(sample: Sample): void;
  /** Takes a sample before the interval; absent = such samples do not matter. */
  pass?(sample: Sample): void;
  /** @param lengthMs length of the interval */
  outcome(lengthMs: number): Outcome;
};

/** Counts samples, and decides intervals that depend on the count alone. */
class Tally {
  good = 0;
  bad = 0;

  reset(): void {
    this.good = 0;
    this.bad = 0;
  }

  /** Returns the quality of an interval without a good value; undefined where there is one. */
  get emptiness(): number | undefined {
    if (this.good > 0) return undefined;
    return this.bad > 0 ? BAD_NO_DATA : GOOD_NO_DATA;
  }

  get quality(): number | undefined {
    return this.emptiness ?? (this.bad > 0 ? SUBNORMAL : undefined);
  }
}

class Reducing implements Accumulator {
  readonly #tally = new Tally();
  readonly #reducer: Reducer;

  constructor(reducer: Reducer) {
    this.#reducer = reducer;
  }

  reset(): void {
    this.#tally.reset();
    this.#reducer.reset();
  }

  add({ value, isGood }: Sample): void {
    if (!isGood) this.#tally.bad += 1;
    else if (typeof value === 'number') {
      this.#tally.good += 1;
      this.#reducer.add(value);
    }
  }

  outcome(): Outcome {
    const { emptiness, quality } = this.#tally;
    const value = emptiness === undefined ? this.#reducer.value() : Number.NaN;
    return { value: Number.isNaN(value) ? undefined : value, quality };
  }
}

/** Values between the first and the last good one do not matter, nor do their qualities. */
class Differing implements Accumulator {
  readonly #tally = new Tally();
  readonly #reducer: Reducer;
  #isBadBefore = false;
  #isBadAfter = false;

  constructor(reducer: Reducer) {
    this.#reducer = reducer;
  }

  reset(): void {
    this.#tally.reset();
    this.#reducer.reset();
    this.#isBadBefore = false;
    this.#isBadAfter = false;
  }

  add({ value, isGood }: Sample): void {
    if (!isGood) {
      this.#tally.bad += 1;
      if (this.#tally.good === 0) this.#isBadBefore = true;
      else this.#isBadAfter = true;
    } else if (typeof value === 'number') {
      this.#tally.good += 1;
      this.#isBadAfter = false;
      this.#reducer.add(value);
    }
  }

  outcome(): Outcome {
    const { emptiness } = this.#tally;
    if (emptiness !== undefined) return { value: undefined, quality: emptiness };
    return { value: this.#reducer.value(), quality: this.#isBadBefore || this.#isBadAfter ? SUBNORMAL : undefined };
  }
}

class Counting implements Accumulator {
  readonly #tally = new Tally();

  reset(): void {
    this.#tally.reset();
  }

  add({ isGood }: Sample): void {
    if (isGood) this.#tally.good += 1;
    else this.#tally.bad += 1;
  }

  outcome(): Outcome {
    return { value: this.#tally.good, quality: this.#tally.quality };
  }
}

/** Keeps the first or the last value, whatever its quality. */
class Edge implements Accumulator {
  readonly #isFirst: boolean;
  #found: Outcome | undefined;

  constructor(isFirst: boolean) {
    this.#isFirst = isFirst;
  }

  reset(): void {
    this.#found = undefined;
  }

  add({ value, longitude, isGood }: Sample): void {
    if (this.#isFirst && this.#found) return;
    this.#found = { value, longitude, quality: isGood ? undefined : SUBNORMAL };
  }

  outcome(): Outcome {
    return this.#found ?? { value: undefined, quality: GOOD_NO_DATA };
  }
}

/** Rises of a counter. A fall is a reset, after which it has counted what it shows. */
class Rising implements Accumulator {
  readonly #tally = new Tally();
  readonly #sum = new Sum();
  readonly #isRate: boolean;
  /** The good value before may lie in any interval. */
  #before: number | undefined;

  constructor(isRate: boolean) {
    this.#isRate = isRate;
  }

  reset(): void {
    this.#tally.reset();
    this.#sum.reset();
  }

  pass({ value, isGood }: Sample): void {
    if (isGood && typeof value === 'number') this.#before = value;
  }

  add(sample: Sample): void {
    const { value, isGood } = sample;
    if (!isGood) this.#tally.bad += 1;
    else if (typeof value === 'number') {
      this.#tally.good += 1;
      if (this.#before !== undefined) this.#sum.add(value < this.#before ? value : value - this.#before);
      this.#before = value;
    }
  }

  outcome(lengthMs: number): Outcome {
    const { emptiness, quality } = this.#tally;
    if (emptiness !== undefined) return { value: undefined, quality: emptiness };
    return { value: this.#sum.value() / (this.#isRate ? lengthMs / 1000 : 1), quality };
  }
}

/** These aggregates are computed from neighbours, over more than an interval. */
export type Neighbouring = 'INTERPOLATED' | 'TIME_WEIGHTED_MEAN';

/** @param maxValues bound of what MEDIAN and PERCENTILE hold */
export function accumulatorOf(figure: Figure<Exclude<Periodic, Neighbouring>>, maxValues: number): Accumulator {
  const { aggregate, percentile } = figure;
  switch (aggregate) {
    case 'COUNT':
      return new Counting();
    case 'START':
      return new Edge(true);
    case 'END':
      return new Edge(false);
    case 'DELTA':
      return new Differing(reducerOf({ aggregate }, maxValues));
    case 'COUNTER_INCREASE':
      return new Rising(false);
    case 'COUNTER_RATE':
      return new Rising(true);
    default:
      return new Reducing(reducerOf({ aggregate: aggregate satisfies Reduced, percentile }, maxValues));
  }
}
