import { gridAt, type IntervalGrid } from '@catchment/time';
import {
  type Collect,
  type Column,
  type ColumnQuery,
  isOfSeries,
  type Periodic,
  type PeriodicOptions,
} from '../../columns/index.ts';
import { boundsOf } from '../../records/index.ts';
import { clampToStore, keyOf, MAX_RECORD_MS } from '../../series/index.ts';
import type { Intervals } from '../domain/bucket-runs.ts';
import { type GridRange, interpolationBounds, intervalBounds } from '../domain/interval-bounds.ts';
import { type Figure, figureOf } from '../domain/reducers.ts';
import { type StoreQuestion, storePlan } from '../domain/store-plan.ts';
import type { RecordSummaries } from './ports.ts';

export type SummarizedCollect = Collect & {
  /** The store computes aggregates; absent = all are computed from the records. */
  readonly summaries?: RecordSummaries | undefined;
};

/** A column has these intervals, or for INTERPOLATED boundaries with a further boundary at both ends. */
export type IntervalPlan = Intervals & {
  /** Some percentiles are the same as other aggregates. */
  readonly figure: Figure<Periodic>;
  /** Absent where the service computes everything. */
  readonly question: StoreQuestion | undefined;
};

/**
 * Lays out the intervals of a column (docs/reference/aggregates.md#intervals), and decides who computes them.
 * @throws DomainError too_large; invalid_argument
 */
export async function planIntervals(
  from: SummarizedCollect,
  { node, view }: Column,
  periodic: PeriodicOptions,
  { bounds, limit, nowMs, zone }: ColumnQuery,
): Promise<IntervalPlan> {
  const edges = isOfSeries(periodic.base) ? await boundsOf(from.reader, keyOf(node), from.signal) : undefined;
  const atMs = bounds.startMs ?? bounds.endMs ?? nowMs;
  const { isComplete, base, period } = periodic;
  const figure = figureOf(periodic);
  const { aggregate } = figure;
  const intervals = layOut(gridAt({ base, period, zone, ...(edges && { edges }) }, atMs));
  const column = { aggregate, node, renderType: view.renderType, excluded: from.excluded, quality: from.quality };
  const hasAny = intervals.bounds.length > 1;
  return { figure, ...intervals, question: hasAny && from.summaries ? storePlan(column, intervals) : undefined };

  function layOut(grid: IntervalGrid): Intervals {
    const range: GridRange = { ...bounds, limit, nowMs };
    const isPoints = aggregate === 'INTERPOLATED';
    const found = isPoints ? interpolationBounds(grid, range) : intervalBounds(grid, range, isComplete);
    const [firstMs = 0, lastMs = 0] = [found[0], found.at(-1)];
    // INTERPOLATED reads one interval beyond both ends of the range.
    const fromMs = isPoints ? firstMs : Math.max(bounds.startMs ?? Number.NEGATIVE_INFINITY, firstMs);
    const toMs = isPoints ? lastMs : Math.min(bounds.endMs ?? nowMs, lastMs) - 1;
    return {
      bounds: found,
      fromMs: fromMs > MAX_RECORD_MS ? MAX_RECORD_MS + 1 : clampToStore(fromMs),
      toMs: clampToStore(toMs) + 1,
    };
  }
}
