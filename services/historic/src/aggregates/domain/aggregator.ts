import type { Between } from '@catchment/equation';
import type { Outcome, Sample } from '../../columns/index.ts';
import type { Accumulator } from './accumulators.ts';
import type { Intervals } from './bucket-runs.ts';
import { LineMeans, spansOf } from './line-means.ts';
import { BAD_NO_DATA, SUBNORMAL } from './quality-codes.ts';

/** Takes samples in ascending order of their times and hands results on in theirs. */
export type Aggregator = {
  push(sample: Sample): void;
  /** Is called after the last sample. */
  finish(): void;
};

export type Emit = (timeMs: number, outcome: Outcome) => void;

/** Makes a result of each interval, also of those without a record; holds one interval at a time. Samples lie within the bounds. */
export function byInterval(bounds: readonly number[], accumulator: Accumulator, emit: Emit): Aggregator {
  let index = 0;
  const next = () => {
    const startMs = bounds[index] ?? 0;
    emit(startMs, accumulator.outcome((bounds[index + 1] ?? 0) - startMs));
    accumulator.reset();
    index += 1;
  };
  return {
    push: (sample) => {
      while (index < bounds.length - 2 && sample.timeMs >= (bounds[index + 1] ?? 0)) next();
      accumulator.add(sample);
    },
    finish: () => {
      while (index < bounds.length - 1) next();
    },
  };
}

/** TIME_WEIGHTED_MEAN has one result per interval, when all samples are known. */
export function byLine(intervals: Intervals, emit: Emit): Aggregator {
  const spans = spansOf(intervals);
  const line = new LineMeans(spans);
  return {
    push: (sample) => line.push(sample),
    finish: () => {
      for (const [n, { startMs }] of spans.entries()) emit(startMs, line.outcome(n));
    },
  };
}

/**
 * INTERPOLATED: one result per boundary but the first and the last one, which end the windows in which its neighbours
 * look for good values: `[boundary before, t)` and `(t, boundary after]`.
 */
export function byBoundary(bounds: readonly number[], between: Between, emit: Emit): Aggregator {
  let index = 1;
  let before: { timeMs: number; value: number } | undefined;
  let isSkipping = false;
  const last = bounds.length - 2;
  return {
    push: ({ timeMs, value, isGood }) => {
      if (!isGood || typeof value !== 'number') {
        isSkipping = true;
        return;
      }
      for (; index <= last && (bounds[index] ?? 0) < timeMs; index += 1) {
        const at = bounds[index] ?? 0;
        const isBetween = before && before.timeMs >= (bounds[index - 1] ?? 0) && timeMs <= (bounds[index + 1] ?? 0);
        if (!before || !isBetween) emit(at, { value: undefined, quality: BAD_NO_DATA });
        else {
          const found = between(before.value, value, (at - before.timeMs) / (timeMs - before.timeMs));
          emit(at, { value: found, quality: isSkipping ? SUBNORMAL : undefined });
        }
      }
      if (index <= last && bounds[index] === timeMs) {
        emit(timeMs, { value, quality: undefined });
        index += 1;
      }
      before = { timeMs, value };
      isSkipping = false;
    },
    finish: () => {
      for (; index <= last; index += 1) emit(bounds[index] ?? 0, { value: undefined, quality: BAD_NO_DATA });
    },
  };
}
