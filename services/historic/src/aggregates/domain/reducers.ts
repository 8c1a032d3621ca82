import type { Periodic } from '../../columns/index.ts';
import { circularMean } from './circular-mean.ts';
import { Median, Percentile } from './order-statistics.ts';
import { StandardDeviation } from './standard-deviation.ts';
import { Average, Sum } from './sums.ts';

/** Makes one number out of the good values of an interval; `value` is called when there was at least one. */
export type Reducer = {
  reset(): void;
  add(value: number): void;
  /** NaN = none. */
  value(): number;
};

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

/** These aggregates are one number out of the good numbers, whatever else there was. */
export type Reduced =
  | ('AVERAGE' | 'MEDIAN' | 'TOTAL' | 'MIN' | 'MAX' | 'RANGE' | 'DELTA')
  | ('CIRCULAR_MEAN' | 'PERCENTILE' | 'STDDEV');

/** An aggregate needs this besides its name. */
export type Figure<Name extends string> = {
  readonly aggregate: Name;
  /** Only PERCENTILE has it, 0–100. */
  readonly percentile?: number | undefined;
};

const SAME: Readonly<Record<number, 'MIN' | 'MEDIAN' | 'MAX'>> = { 0: 'MIN', 50: 'MEDIAN', 100: 'MAX' };

/** Names the aggregate to compute. The store too knows percentiles that have a name. */
export function figureOf({ aggregate, percentile }: Figure<Periodic>): Figure<Periodic> {
  const same = aggregate === 'PERCENTILE' && percentile !== undefined ? SAME[percentile] : undefined;
  return same ? { aggregate: same } : { aggregate, percentile };
}

/** @param maxValues bound of what MEDIAN and PERCENTILE hold */
export function reducerOf({ aggregate, percentile }: Figure<Reduced>, maxValues: number): Reducer {
  switch (aggregate) {
    case 'AVERAGE':
      return new Average();
    case 'MEDIAN':
      return new Median(maxValues);
    case 'PERCENTILE':
      return new Percentile(percentile ?? Number.NaN, maxValues);
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
    case 'CIRCULAR_MEAN':
      return circularMean();
    case 'STDDEV':
      return new StandardDeviation();
  }
}
