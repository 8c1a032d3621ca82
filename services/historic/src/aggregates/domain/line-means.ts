import type { Outcome, Sample } from '../../columns/index.ts';
import type { Intervals } from './bucket-runs.ts';
import { BAD_NO_DATA, GOOD_NO_DATA, SUBNORMAL } from './quality-codes.ts';
import { Sum } from './sums.ts';

/** Records count within a part of the interval; Unix ms, ends exclusive. */
export type Span = {
  readonly startMs: number;
  readonly endMs: number;
  readonly fromMs: number;
  readonly toMs: number;
};

export function spansOf({ bounds, fromMs, toMs }: Intervals): Span[] {
  return bounds.slice(0, -1).map((startMs, n) => {
    const endMs = bounds[n + 1] ?? 0;
    return { startMs, endMs, fromMs: Math.max(startMs, fromMs), toMs: Math.min(endMs, toMs) };
  });
}

/**
 * Finds the times between which lines may end, both inclusive; undefined for no span. A line goes on beyond an end of an interval by at
 * most its length; not where the range cuts the interval off.
 */
export function reachOf(spans: readonly Span[]): { fromMs: number; toMs: number } | undefined {
  if (spans.length === 0) return undefined;
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    const lengthMs = span.endMs - span.startMs;
    fromMs = Math.min(fromMs, isCutBefore(span) ? span.fromMs : span.startMs - lengthMs);
    toMs = Math.max(toMs, (isCutBehind(span) ? span.toMs : span.endMs + lengthMs) - 1);
  }
  return { fromMs, toMs };
}

const isCutBefore = ({ startMs, fromMs }: Span): boolean => fromMs > startMs;
const isCutBehind = ({ endMs, toMs }: Span): boolean => toMs < endMs;

/** Areas stay in the range of numbers by this factor: no power of two costs a digit. */
const UNIT = 2 ** 70;

/**
 * TIME_WEIGHTED_MEAN (docs/reference/aggregates.md#definitions) follows the line through good values, over spans that ascend and do not
 * overlap. It holds a few numbers for each span, since what follows a span ends its line.
 */
export class LineMeans {
  readonly #spans: readonly Span[];
  readonly #areas: Sum[] = [];
  /** The line falls no lower than these numbers: rounding must not take its mean beyond the numbers that it goes through. */
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #covered: Float64Array;
  readonly #good: Uint8Array;
  readonly #bad: Uint8Array;
  /** Spans before this end before the newest sample. */
  #index = 0;
  #before: { readonly timeMs: number; readonly value: number; readonly index: number } | undefined;

  constructor(spans: readonly Span[]) {
    this.#spans = spans;
    this.#low = new Float64Array(spans.length).fill(Number.POSITIVE_INFINITY);
    this.#high = new Float64Array(spans.length).fill(Number.NEGATIVE_INFINITY);
    this.#covered = new Float64Array(spans.length);
    this.#good = new Uint8Array(spans.length);
    this.#bad = new Uint8Array(spans.length);
  }

  /** Takes a sample, also before, between and behind the spans: a line may begin or end there. */
  push({ timeMs, value, isGood }: Sample): void {
    while (timeMs >= (this.#spans[this.#index]?.toMs ?? Number.POSITIVE_INFINITY)) this.#index += 1;
    const index = timeMs >= (this.#spans[this.#index]?.fromMs ?? Number.POSITIVE_INFINITY) ? this.#index : -1;
    if (!isGood || typeof value !== 'number') {
      if (index >= 0) this.#bad[index] = 1;
      return;
    }
    if (index >= 0) this.#good[index] = 1;
    const point = { timeMs, value, index };
    const before = this.#before;
    this.#before = point;
    if (!before) return;
    if (before.index >= 0) this.#cover(before.index, before, point);
    if (index >= 0 && index !== before.index) this.#cover(index, before, point);
  }

  /** Tells what is known of a span up to the newest sample. */
  outcome(index: number): Outcome {
    const isLeftOut = this.#bad[index] === 1;
    if (this.#good[index] === 0) return { value: undefined, quality: isLeftOut ? BAD_NO_DATA : GOOD_NO_DATA };
    const covered = this.#covered[index] ?? 0;
    const mean = ((this.#areas[index]?.value() ?? 0) / covered) * UNIT;
    return {
      value: covered > 0 ? Math.min(Math.max(mean, this.#low[index] ?? mean), this.#high[index] ?? mean) : undefined,
      quality: isLeftOut ? SUBNORMAL : undefined,
    };
  }

  /** Adds what lies in the span of a stretch between two good values, unless that is longer than the interval. */
  #cover(index: number, from: { timeMs: number; value: number }, to: { timeMs: number; value: number }): void {
    const span = this.#spans[index];
    const lengthMs = to.timeMs - from.timeMs;
    if (!span || lengthMs > span.endMs - span.startMs) return;
    if (from.timeMs < span.fromMs && isCutBefore(span)) return;
    if (to.timeMs >= span.toMs && isCutBehind(span)) return;
    const [firstMs, lastMs] = [Math.max(from.timeMs, span.fromMs), Math.min(to.timeMs, span.toMs)];
    const middle = (firstMs - from.timeMs + lastMs - from.timeMs) / 2 / lengthMs;
    const [first, last] = [from.value / UNIT, to.value / UNIT];
    this.#areas[index] ??= new Sum();
    this.#areas[index]?.add((lastMs - firstMs) * (first + (last - first) * middle));
    this.#covered[index] = (this.#covered[index] ?? 0) + lastMs - firstMs;
    this.#low[index] = Math.min(this.#low[index] ?? from.value, from.value, to.value);
    this.#high[index] = Math.max(this.#high[index] ?? from.value, from.value, to.value);
  }
}
