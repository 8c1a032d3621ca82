import { type EffectiveZone, evaluateOpc } from '@catchment/time';
import { accumulatorOf } from '../domain/aggregate/accumulators.ts';
import { type Aggregator, byBoundary, byInterval, type Emit } from '../domain/aggregate/aggregator.ts';
import { changes } from '../domain/aggregate/changes.ts';
import { interpolationBounds, intervalBounds } from '../domain/aggregate/interval-grid.ts';
import { type Outcome, sampler } from '../domain/aggregate/sample.ts';
import type { ColumnOptions, PeriodicOptions } from '../domain/column-options.ts';
import { planRange } from '../domain/read-range.ts';
import { RecordSet, type StoredRecord } from '../domain/record-set.ts';
import type { SeriesNode } from '../domain/series-node.ts';
import type { SeriesView } from '../domain/series-view.ts';
import { clampToStore, MAX_RECORD_MS } from '../domain/store-range.ts';
import { type Collect, collectRecords } from './collect-records.ts';
import { boundsOf } from './edges.ts';
import { type Bounds, isOfSeries } from './read-bounds.ts';

/** One column of an answer. */
export type Column = { readonly node: SeriesNode; readonly options: ColumnOptions; readonly view: SeriesView };

/** What columns of an answer have in common. */
export type ColumnQuery = {
  readonly bounds: Bounds;
  readonly limit: number | undefined;
  readonly nowMs: number;
  readonly zone: EffectiveZone;
};

/**
 * The results of a column, oldest first: its records, or what its aggregate makes of them in one pass (semantics 6.5, 7).
 * @throws DomainError too_large; invalid_argument
 */
export async function collectColumn(from: Collect, column: Column, query: ColumnQuery): Promise<RecordSet> {
  const { aggregate, periodic } = column.options;
  if (periodic) return collectIntervals(from, column, periodic, query);
  if (aggregate === 'CHANGE') return collectChanges(from, column, query);
  return collectRecords(from, planRange({ ...query.bounds, limit: query.limit }));
}

async function collectChanges(from: Collect, { node, view }: Column, { bounds, limit }: ColumnQuery) {
  const results = new RecordSet(view.valueType);
  const plan = planRange({ ...bounds, limit });
  const { push, finish } = changes(plan.order, (sample) => {
    from.budget.add(results, resultOf(sample.timeMs, sample, sample.annotation));
    return results.count !== limit;
  });
  const sampleOf = sampler(node, view.renderType, from.quality.typeOf);
  let isEnough = false;
  // How many records it takes to find that many changes is not known; the store reads on by growing pages.
  await from.reader.scan(keyOf(node), plan, from.signal, (record) => {
    if (from.excluded.has(from.quality.typeOf(record.quality))) return true;
    const sample = sampleOf(record);
    isEnough = sample !== undefined && !push(sample);
    return !isEnough;
  });
  if (!isEnough) finish();
  return plan.order === 'ascending' ? results : results.reversed();
}

async function collectIntervals(
  from: Collect,
  { node, view }: Column,
  periodic: PeriodicOptions,
  { bounds, limit, nowMs, zone }: ColumnQuery,
): Promise<RecordSet> {
  const results = new RecordSet(view.valueType);
  const edges = isOfSeries(periodic.base) ? await boundsOf(from.reader, keyOf(node), from.signal) : undefined;
  const atMs = bounds.startMs ?? bounds.endMs ?? nowMs;
  const baseMs = evaluateOpc(periodic.base, { nowMs: atMs, zone, ...edges }, 'baseTime');
  const grid = { baseMs, period: periodic.period, zone };
  // All qualities of intervals are system codes, which an account may have renumbered.
  const emit: Emit = (timeMs, outcome) => {
    const quality = outcome.quality === undefined ? undefined : from.quality.system(outcome.quality);
    from.budget.add(results, resultOf(timeMs, { ...outcome, quality }));
  };

  const { aggregate, isComplete } = periodic;
  const range = { ...bounds, limit, nowMs };
  let aggregator: Aggregator;
  let [fromMs, toMs] = [0, 0];
  if (aggregate === 'INTERPOLATED') {
    const around = interpolationBounds(grid, range);
    if (around.length === 0) return results;
    aggregator = byBoundary(around, emit);
    // One interval beyond both ends of the range.
    fromMs = around[0] ?? 0;
    toMs = around.at(-1) ?? 0;
  } else {
    const intervals = intervalBounds(grid, range, isComplete);
    if (intervals.length === 0) return results;
    aggregator = byInterval(intervals, accumulatorOf(aggregate, from.budget.limits.maxRecords), emit);
    fromMs = Math.max(bounds.startMs ?? Number.NEGATIVE_INFINITY, intervals[0] ?? 0);
    toMs = Math.min(bounds.endMs ?? nowMs, intervals.at(-1) ?? 0) - 1;
  }
  const plan = {
    fromMs: fromMs > MAX_RECORD_MS ? MAX_RECORD_MS + 1 : clampToStore(fromMs),
    toMs: clampToStore(toMs),
    order: 'ascending' as const,
    limit: undefined,
  };
  const sampleOf = sampler(node, view.renderType, from.quality.typeOf);
  await from.reader.scan(keyOf(node), plan, from.signal, (record) => {
    if (from.excluded.has(from.quality.typeOf(record.quality))) return true;
    const sample = sampleOf(record);
    if (sample) aggregator.push(sample);
    return true;
  });
  aggregator.finish();
  return results;
}

const keyOf = ({ nodeId, series }: SeriesNode) => ({ nodeId, valueType: series.valueType });

const resultOf = (timeMs: number, { value, longitude, quality }: Outcome, annotation?: string): StoredRecord => ({
  timeMs,
  modifiedMs: 0,
  number: typeof value === 'number' ? value : undefined,
  longitude: value === undefined ? undefined : longitude,
  text: typeof value === 'string' ? value : undefined,
  quality,
  annotation,
});
