import { type Collect, type Column, type Outcome, resultOf } from '../../columns/index.ts';
import { RecordSet } from '../../records/index.ts';
import type { Emit } from '../domain/aggregator.ts';
import type { Intervals } from '../domain/bucket-runs.ts';
import type { IntervalResults } from '../domain/interval-folder.ts';
import { computeIntervals } from './compute-intervals.ts';
import type { IntervalPlan } from './plan-intervals.ts';
import { summarizeColumns } from './summarize-columns.ts';

/** A column is read in one go when only its records can answer more ranges than this. */
const MAX_RANGES = 16;

/**
 * Yields one result per interval of the plan, oldest first.
 * @param folder the store's results; absent = they are read now, where the plan needs any
 * @throws DomainError too_large
 */
export async function collectIntervals(
  from: Collect,
  column: Column,
  plan: IntervalPlan,
  folder?: IntervalResults,
): Promise<RecordSet> {
  const results = new RecordSet(column.view.valueType);
  // All qualities of intervals are system codes, which an account may have renumbered.
  const emit: Emit = (timeMs, outcome) => {
    const quality = outcome.quality === undefined ? undefined : from.quality.system(outcome.quality);
    from.budget.add(results, resultOf(timeMs, { ...outcome, quality }));
  };
  if (plan.bounds.length < 2) return results;
  const settled = folder ?? (plan.question && (await summarizeColumns(from, [{ column, plan }])).get(column));
  if (!settled) {
    await computeIntervals(from, column, plan, emit);
    return results;
  }
  await settleOpen(from, column, plan, settled);
  for (let index = 0; index < settled.length; index += 1) emit(plan.bounds[index] ?? 0, settled.outcome(index));
  return results;
}

/** Computes from the records what the store's figures have left open. */
async function settleOpen(from: Collect, column: Column, plan: IntervalPlan, folder: IntervalResults): Promise<void> {
  for (const { first, last } of rangesOf(folder.open)) {
    const bounds = plan.bounds.slice(first, last + 2);
    const part: Intervals = {
      bounds,
      fromMs: Math.max(plan.fromMs, bounds[0] ?? 0),
      toMs: Math.min(plan.toMs, bounds.at(-1) ?? 0),
    };
    let index = first;
    await computeIntervals(from, column, { ...plan, ...part }, (_timeMs: number, outcome: Outcome) => {
      folder.settle(index, outcome);
      index += 1;
    });
  }
}

/** Returns runs of neighbours, or one run of all where there are many. */
function rangesOf(open: readonly number[]): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const index of open) {
    const range = ranges.at(-1);
    if (range && range.last === index - 1) range.last = index;
    else ranges.push({ first: index, last: index });
  }
  if (ranges.length <= MAX_RANGES) return ranges;
  return [{ first: open[0] ?? 0, last: open.at(-1) ?? 0 }];
}
