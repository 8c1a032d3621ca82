import { type Linear, type Transform, transformOf } from '@catchment/equation';
import type { Aggregate, Outcome } from '../../columns/index.ts';
import type { SeriesNode } from '../../series/index.ts';
import { GOOD_NO_DATA } from './quality-codes.ts';
import type { StoreCall } from './store-plan.ts';

/** The store has these results for a bucket; calls that were not requested, or have no value, are NaN. */
export type Bucket = Record<StoreCall, number> & {
  startMs: number;
  /** Live numbers below 0 may be among them. */
  hasNegatives: boolean;
  /** The interval has nothing but live numbers without quality and annotation. */
  isPlain: boolean;
};

/** One floating point operation has this relative error. */
const ROUNDING = 2 ** -53;
/** Operations besides the additions. */
const OTHER_STEPS = 4;
/** Sums and means may be off by twice this, relative to themselves. */
const TOLERANCE = 0.5e-12;

/**
 * Puts the buckets of a series, ascending, together to the results of its intervals. Where buckets do not settle an
 * interval exactly it is `open`: records with qualities, deleted ones, sums that may have lost digits.
 */
export class IntervalFolder {
  readonly #bounds: readonly number[];
  readonly #aggregate: Aggregate;
  readonly #transform: Transform & { readonly linear: Linear };
  /** NaN = none. */
  readonly #values: Float64Array;
  /** -1 = none. */
  readonly #qualities: Int32Array;
  /** Only the records can give the results of these intervals, ascending. */
  readonly open: number[] = [];
  #index = 0;

  #count = 0;
  #sum = 0;
  #lost = 0;
  #slack = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #first = Number.NaN;
  #last = Number.NaN;
  #median = Number.NaN;
  #isOpen = false;

  constructor(aggregate: Aggregate, node: Pick<SeriesNode, 'series'>, bounds: readonly number[]) {
    this.#aggregate = aggregate;
    this.#bounds = bounds;
    const transform = transformOf(node.series);
    const { linear } = transform;
    if (!linear) throw new RangeError('a transform without a slope is computed from the records');
    this.#transform = { ...transform, linear };
    this.#values = new Float64Array(bounds.length - 1);
    this.#qualities = new Int32Array(bounds.length - 1);
  }

  /** Intervals in all. */
  get length(): number {
    return this.#values.length;
  }

  add(bucket: Bucket): void {
    while (this.#index < this.length - 1 && bucket.startMs >= (this.#bounds[this.#index + 1] ?? 0)) this.#close();
    if (!bucket.isPlain) this.#isOpen = true;
    const { count } = bucket;
    if (!(count > 0)) return;
    if (this.#count === 0) this.#first = bucket.first;
    this.#last = bucket.last;
    this.#median = bucket.median;
    this.#count += count;
    if (bucket.min < this.#min) this.#min = bucket.min;
    if (bucket.max > this.#max) this.#max = bucket.max;
    if (!Number.isNaN(bucket.sum)) this.#addSum(bucket);
  }

  /** Is called after the last bucket. */
  finish(): void {
    while (this.#index < this.length) this.#close();
  }

  /** The result of an interval. */
  outcome(index: number): Outcome {
    const value = this.#values[index] ?? Number.NaN;
    const quality = this.#qualities[index] ?? -1;
    return { value: Number.isNaN(value) ? undefined : value, quality: quality < 0 ? undefined : quality };
  }

  /** Stores the outcome of an interval. */
  settle(index: number, { value, quality }: Outcome): void {
    this.#values[index] = typeof value === 'number' ? value : Number.NaN;
    this.#qualities[index] = quality ?? -1;
  }

  /** All addends are of one sign, so that what adding has lost is bounded by the sum itself. */
  #addSum({ sum, count, hasNegatives }: Bucket): void {
    if (hasNegatives) this.#isOpen = true;
    const { isIdentity, linear } = this.#transform;
    const shown = isIdentity ? sum : sum * linear.slope + count * linear.intercept;
    const magnitude = Math.abs(sum) * linear.slopeBound + count * linear.interceptBound;
    this.#slack += (count + OTHER_STEPS + linear.steps) * ROUNDING * magnitude;
    const total = this.#sum + shown;
    this.#lost += Math.abs(this.#sum) >= Math.abs(shown) ? this.#sum - total + shown : shown - total + this.#sum;
    this.#sum = total;
  }

  #close(): void {
    const index = this.#index;
    if (this.#count === 0) {
      this.settle(index, { value: this.#aggregate === 'COUNT' ? 0 : undefined, quality: GOOD_NO_DATA });
    } else {
      const value = this.#value();
      this.settle(index, { value, quality: undefined });
      if (!Number.isFinite(value) || !this.#isFinite()) this.#isOpen = true;
    }
    if (this.#isOpen) this.open.push(index);
    this.#index += 1;
    this.#count = 0;
    this.#sum = 0;
    this.#lost = 0;
    this.#slack = 0;
    this.#min = Number.POSITIVE_INFINITY;
    this.#max = Number.NEGATIVE_INFINITY;
    this.#isOpen = false;
  }

  #isFinite(): boolean {
    const { isIdentity } = this.#transform;
    return isIdentity || (Number.isFinite(this.#shown(this.#min)) && Number.isFinite(this.#shown(this.#max)));
  }

  #shown(value: number): number {
    return this.#transform.apply(value);
  }

  #value(): number {
    // A negative slope reverses the order.
    const [low, high] = this.#transform.linear.slope < 0 ? [this.#max, this.#min] : [this.#min, this.#max];
    switch (this.#aggregate) {
      case 'COUNT':
        return this.#count;
      case 'MIN':
        return this.#shown(low);
      case 'MAX':
        return this.#shown(high);
      case 'RANGE':
        return this.#shown(high) - this.#shown(low);
      case 'START':
        return this.#shown(this.#first);
      case 'END':
        return this.#shown(this.#last);
      case 'DELTA':
        return this.#shown(this.#last) - this.#shown(this.#first);
      case 'MEDIAN':
        return this.#median;
      default:
        return this.#total() / (this.#aggregate === 'AVERAGE' ? this.#count : 1);
    }
  }

  #total(): number {
    const total = this.#sum + this.#lost;
    return this.#slack <= TOLERANCE * Math.abs(total) ? total : Number.NaN;
  }
}

/** Holds the results of folders of neighbouring intervals, as if they were one. */
export class IntervalResults {
  readonly #parts: readonly { readonly folder: IntervalFolder; readonly from: number }[];
  readonly length: number;

  /** @param folders ascending; all of their buckets have been added */
  constructor(folders: readonly IntervalFolder[]) {
    let length = 0;
    this.#parts = folders.map((folder) => {
      folder.finish();
      const from = length;
      length += folder.length;
      return { folder, from };
    });
    this.length = length;
  }

  /** Returns intervals whose results only the records can give, ascending. */
  get open(): readonly number[] {
    return this.#parts.flatMap(({ folder, from }) => folder.open.map((index) => from + index));
  }

  outcome(index: number): Outcome {
    const { folder, from } = this.#partOf(index);
    return folder.outcome(index - from);
  }

  settle(index: number, outcome: Outcome): void {
    const { folder, from } = this.#partOf(index);
    folder.settle(index - from, outcome);
  }

  #partOf(index: number): { readonly folder: IntervalFolder; readonly from: number } {
    const part = this.#parts.findLast(({ from }) => from <= index);
    if (!part) throw new RangeError(`there is no interval ${index}`);
    return part;
  }
}
