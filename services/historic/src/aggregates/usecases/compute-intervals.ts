import { straight, turning } from '@catchment/equation';
import { inParallel } from '@catchment/fair-queue';
import type { Collect, Column, Sample } from '../../columns/index.ts';
import type { FetchPlan } from '../../records/index.ts';
import { clampToStore } from '../../series/index.ts';
import { accumulatorOf } from '../domain/accumulators.ts';
import { type Aggregator, byBoundary, byInterval, byLine, type Emit } from '../domain/aggregator.ts';
import { reachOf, spansOf } from '../domain/line-means.ts';
import type { IntervalPlan } from './plan-intervals.ts';
import { lastGoodBefore, scanSamples } from './scan-samples.ts';

/** This many records are read before it is decided how the rest is read. */
const TRIED_RECORDS = 4_000;
/** A rest of about this many is divided: the store reads each part on one processor. */
const MANY_RECORDS = 20_000;

/** Goes once through the records of the plan; through two parts of them at a time where there are many. */
export async function computeIntervals(from: Collect, column: Column, plan: IntervalPlan, emit: Emit): Promise<void> {
  const { fromMs, toMs } = rangeOf(plan);
  let [emitted, end, lastMs] = [0, Number.POSITIVE_INFINITY, toMs];
  const lower = await begin(from, column, plan, (...result) => {
    if (emitted < end) emit(...result);
    emitted += 1;
  });
  const middle = Promise.withResolvers<number>();
  const readLower = async (part: Collect) => {
    let seen = 0;
    const goesOn = (timeMs: number) => {
      seen += 1;
      if (seen !== TRIED_RECORDS) return timeMs < lastMs;
      const found = middleOf(plan, timeMs, (seen / Math.max(timeMs - fromMs, 1)) * (toMs - timeMs));
      if (found > 0) {
        end = found;
        lastMs = rangeOf({ ...plan, bounds: plan.bounds.slice(0, found + 1), toMs: plan.bounds[found] ?? 0 }).toMs;
      }
      middle.resolve(found);
      return true;
    };
    const take = (sample: Sample) => sample.timeMs <= lastMs && lower.push(sample);
    await scanSamples(part, column, ascending(fromMs, toMs), take, goesOn).finally(() => middle.resolve(0));
  };
  const results: Parameters<Emit>[] = [];
  const readUpper = async (part: Collect) => {
    const first = await middle.promise;
    if (first === 0) return;
    const upper = { ...plan, bounds: plan.bounds.slice(first), fromMs: plan.bounds[first] ?? 0 };
    await computePart(part, column, upper, (...result) => results.push(result));
  };
  const parts = [readLower, readUpper];
  await inParallel(parts, { atOnce: parts.length, signal: from.signal }, (read, signal) => read({ ...from, signal }));
  lower.finish();
  for (const result of results) emit(...result);
}

async function computePart(from: Collect, column: Column, plan: IntervalPlan, emit: Emit): Promise<void> {
  const aggregator = await begin(from, column, plan, emit);
  const { fromMs, toMs } = rangeOf(plan);
  await scanSamples(from, column, ascending(fromMs, toMs), aggregator.push);
  aggregator.finish();
}

/** @returns the interval from which on a second part is read; 0 = none */
function middleOf({ figure, bounds }: IntervalPlan, seenMs: number, recordsLeft: number): number {
  // The windows of INTERPOLATED would lie in both parts.
  if (recordsLeft < MANY_RECORDS || figure.aggregate === 'INTERPOLATED') return 0;
  const last = bounds.length - 2;
  const middle = bounds.findIndex((bound) => bound > (seenMs + (bounds.at(-1) ?? 0)) / 2);
  return middle > 0 && middle <= last ? middle : 0;
}

const ascending = (fromMs: number, toMs: number): FetchPlan => ({ fromMs, toMs, order: 'ascending', limit: undefined });

/** Finds the range to read, both ends inclusive. */
function rangeOf(plan: IntervalPlan): { fromMs: number; toMs: number } {
  const reach = plan.figure.aggregate === 'TIME_WEIGHTED_MEAN' ? reachOf(spansOf(plan)) : undefined;
  if (!reach) return { fromMs: plan.fromMs, toMs: plan.toMs - 1 };
  return { fromMs: clampToStore(reach.fromMs), toMs: clampToStore(reach.toMs) };
}

/** Returns an aggregator that knows what lies before the first sample of the plan. */
async function begin(from: Collect, column: Column, plan: IntervalPlan, emit: Emit): Promise<Aggregator> {
  const { figure, bounds, fromMs } = plan;
  const { aggregate, percentile } = figure;
  if (aggregate === 'INTERPOLATED')
    return byBoundary(bounds, column.node.series.isDirection ? turning : straight, emit);
  if (aggregate === 'TIME_WEIGHTED_MEAN') return byLine(plan, emit);
  const accumulator = accumulatorOf({ aggregate, percentile }, from.budget.limits.maxRecords);
  const skip = accumulator.pass?.bind(accumulator);
  if (skip) await lastGoodBefore(from, column, fromMs, skip);
  return byInterval(bounds, accumulator, emit);
}
