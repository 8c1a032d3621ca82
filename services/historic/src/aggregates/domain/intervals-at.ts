import { type Interval, type IntervalLayout, lastingIntervals } from '@catchment/time';
import type { Outcome, Sample } from '../../columns/index.ts';
import type { Accumulator } from './accumulators.ts';
import { LineMeans, reachOf } from './line-means.ts';

/** Times have their intervals, in order; those of one interval share an object. */
export type TimesInIntervals = readonly { readonly timeMs: number; readonly interval: Interval }[];

/**
 * Returns the interval that contains each of the ascending times.
 * @throws DomainError invalid_argument
 */
export function intervalsAt(layout: IntervalLayout, times: Float64Array): TimesInIntervals {
  const intervals = lastingIntervals(layout);
  let known: Interval | undefined;
  return Array.from(times, (timeMs) => {
    if (!known || timeMs >= known.endMs) known = intervals.at(timeMs);
    return { timeMs, interval: known };
  });
}

/** A gap of this many times its length before an interval is not read over. */
const MAX_GAP = 10;

/** Parts whose intervals lie near each other: each can be read in one pass. */
export function passesOf(times: TimesInIntervals): TimesInIntervals[] {
  const passes: TimesInIntervals[number][][] = [];
  let last: Interval | undefined;
  for (const time of times) {
    const { interval } = time;
    const gap = last ? interval.startMs - last.endMs : 0;
    const isNear = gap <= MAX_GAP * (interval.endMs - interval.startMs);
    const pass = passes.at(-1);
    if (pass && (interval === last || isNear)) pass.push(time);
    else passes.push([time]);
    last = interval;
  }
  return passes;
}

/**
 * Emits the results at the times of a pass.
 * @param isWhole of all samples of the interval; otherwise of those up to the time, that time included
 */
export function aggregatorAt(
  pass: TimesInIntervals,
  isWhole: boolean,
  accumulator: Accumulator,
  emit: (outcome: Outcome) => void,
): { push(sample: Sample): void; finish(): void } {
  let index = 0;
  const next = () => {
    const { startMs = 0, endMs = 0 } = pass[index]?.interval ?? {};
    emit(accumulator.outcome(endMs - startMs));
    index += 1;
    if (pass[index]?.interval !== pass[index - 1]?.interval) accumulator.reset();
  };
  const isSettledBefore = (timeMs: number): boolean => {
    const first = pass[index];
    return first !== undefined && (isWhole ? first.interval.endMs <= timeMs : first.timeMs < timeMs);
  };
  accumulator.reset();
  return {
    push: (sample) => {
      while (isSettledBefore(sample.timeMs)) next();
      if (sample.timeMs >= (pass[index]?.interval.startMs ?? Number.POSITIVE_INFINITY)) accumulator.add(sample);
      else accumulator.pass?.(sample);
    },
    finish: () => {
      while (index < pass.length) next();
    },
  };
}

/**
 * Computes TIME_WEIGHTED_MEAN at the times of a pass; with `isWhole` also by the line from the interval to what follows. It takes the
 * samples of `reach`.
 */
export function lineAt(pass: TimesInIntervals, isWhole: boolean, emit: (outcome: Outcome) => void) {
  const intervals = [...new Set(pass.map(({ interval }) => interval))];
  const spans = intervals.map((interval) => ({ ...interval, fromMs: interval.startMs, toMs: interval.endMs }));
  const line = new LineMeans(spans);
  let index = 0;
  let span = 0;
  const next = () => {
    const interval = pass[index]?.interval;
    while (intervals[span] !== interval) span += 1;
    emit(line.outcome(span));
    index += 1;
  };
  return {
    reach: reachOf(spans),
    push: (sample: Sample) => {
      while (!isWhole && (pass[index]?.timeMs ?? Number.POSITIVE_INFINITY) < sample.timeMs) next();
      line.push(sample);
    },
    finish: () => {
      while (index < pass.length) next();
    },
  };
}
