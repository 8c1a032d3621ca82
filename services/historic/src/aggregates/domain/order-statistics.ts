import { tooLarge } from '@catchment/errors';

/** Holds the values of one interval; of them, sorted, one or two make the result. */
abstract class OrderStatistics {
  #values = new Float64Array(256);
  #count = 0;
  readonly #name: string;
  readonly #max: number;

  constructor(name: string, max: number) {
    this.#name = name;
    this.#max = max;
  }

  reset(): void {
    this.#count = 0;
  }

  /** @throws DomainError too_large */
  add(value: number): void {
    if (this.#count >= this.#max)
      throw tooLarge(`aggregate: ${this.#name} takes at most ${this.#max} records per interval`);
    if (this.#count === this.#values.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  value(): number {
    return this.pick(this.#values.subarray(0, this.#count).sort());
  }

  protected abstract pick(sorted: Float64Array): number;
}

export class Median extends OrderStatistics {
  constructor(max: number) {
    super('MEDIAN', max);
  }

  protected override pick(sorted: Float64Array): number {
    const upper = sorted[sorted.length >> 1] ?? 0;
    return sorted.length % 2 === 1 ? upper : between(sorted[(sorted.length >> 1) - 1] ?? 0, upper, 0.5);
  }
}

/** Interpolates linearly between the two nearest ranks (Hyndman and Fan, type 7). */
export class Percentile extends OrderStatistics {
  readonly #percentile: number;

  constructor(percentile: number, max: number) {
    super('PERCENTILE', max);
    this.#percentile = percentile;
  }

  protected override pick(sorted: Float64Array): number {
    const rank = ((sorted.length - 1) * this.#percentile) / 100;
    const lower = Math.floor(rank);
    return between(sorted[lower] ?? 0, sorted[Math.ceil(rank)] ?? 0, rank - lower);
  }
}

/** @param share part of the way from `lower` to `upper` */
function between(lower: number, upper: number, share: number): number {
  if (lower === upper) return lower;
  const sum = lower + upper;
  if (share === 0.5 && Number.isFinite(sum)) return sum / 2;
  const step = (upper - lower) * share;
  return Number.isFinite(step) ? lower + step : lower * (1 - share) + upper * share;
}
