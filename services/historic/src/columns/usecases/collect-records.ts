import type { QualityTable, QualityType } from '@catchment/quality';
import { type FetchPlan, type RecordReader, RecordSet } from '../../records/index.ts';
import type { SeriesNode } from '../../series/index.ts';
import type { AnswerBudget } from '../domain/answer-budget.ts';
import { compare, type ModifiedColumn, type Place } from '../domain/modified-page.ts';

const SPARE_RECORDS = 1_000;

export type Collect = {
  readonly reader: RecordReader;
  readonly node: SeriesNode;
  readonly excluded: ReadonlySet<QualityType>;
  /** The account's. */
  readonly quality: QualityTable;
  readonly budget: AnswerBudget;
  readonly signal: AbortSignal;
};

/**
 * Collects the live records of a plan, oldest first, as compact columns: an answer is held before its first byte is sent, so that
 * `recordCount` and the limits are settled (docs/reference/guarantees.md#whole-answers).
 * @throws DomainError too_large over one of the limits
 */
export async function collectRecords(
  { reader, node, excluded, quality, budget, signal }: Collect,
  plan: FetchPlan,
): Promise<RecordSet> {
  const records = new RecordSet(node.series.valueType);
  const key = { nodeId: node.nodeId, valueType: node.series.valueType };
  await reader.scan(key, plan, signal, (record) => {
    if (excluded.size > 0 && excluded.has(quality.typeOf(record.quality))) return true;
    budget.add(records, record);
    return records.count !== plan.limit;
  });
  return plan.order === 'ascending' ? records : records.reversed();
}

/** A column has this part of a MODIFIED read; Unix ms, all inclusive but `after`. */
type ModifiedRange = {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  /** Records that were written at this place or before are left out. */
  readonly after?: Place | undefined;
  /** This many records are kept, the first ones by their time of writing; undefined keeps all. */
  readonly most?: number | undefined;
};

/** Records last written within a time (docs/reference/reading.md#order-of-steps, timeQuery MODIFIED), by their own time, and when each was written. */
export async function collectModified(
  { reader, node, excluded, quality, budget, signal }: Collect,
  { startMs = 0, endMs = Number.MAX_SAFE_INTEGER, after, most }: ModifiedRange,
): Promise<ModifiedColumn> {
  let records = new RecordSet(node.series.valueType);
  let modified: number[] = [];
  const keepFirst = (max: number) => {
    if (records.count <= max) return;
    const chosen = Array.from(modified, (_, index) => index)
      .sort((a, b) => (modified[a] ?? 0) - (modified[b] ?? 0) || a - b)
      .slice(0, max)
      .sort((a, b) => a - b);
    const kept = records.select(chosen);
    budget.keepOf(records, kept);
    records = kept;
    modified = chosen.map((index) => modified[index] ?? 0);
  };
  const key = { nodeId: node.nodeId, valueType: node.series.valueType };
  const fromMs = Math.max(startMs, after?.modifiedMs ?? 0);
  if (fromMs > endMs) return { records, modified };
  await reader.scanModified(key, { fromMs, toMs: endMs }, signal, (record) => {
    if (after && compare(record, after) <= 0) return true;
    if (excluded.has(quality.typeOf(record.quality))) return true;
    budget.add(records, record);
    modified.push(record.modifiedMs);
    // Rows come by their own time: of many, only those that may still be chosen are held.
    if (most !== undefined && records.count >= 2 * most + SPARE_RECORDS) keepFirst(most);
    return true;
  });
  if (most !== undefined) keepFirst(most);
  return { records, modified };
}
