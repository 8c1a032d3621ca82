import type { QualityTable, QualityType } from '@catchment/quality';
import type { AnswerBudget } from '../domain/answer-budget.ts';
import type { FetchPlan } from '../domain/read-range.ts';
import { RecordSet } from '../domain/record-set.ts';
import type { SeriesNode } from '../domain/series-node.ts';
import type { RecordOutlines, RecordReader, RecordSummaries } from './ports.ts';

const SPARE_RECORDS = 1_000;

export type Collect = {
  readonly reader: RecordReader;
  /** Aggregates in the store; absent = all are computed from the records. */
  readonly summaries?: RecordSummaries | undefined;
  /** Outstanding records by the store; absent = all are read. */
  readonly outlines?: RecordOutlines | undefined;
  readonly node: SeriesNode;
  readonly excluded: ReadonlySet<QualityType>;
  /** The account's. */
  readonly quality: QualityTable;
  readonly budget: AnswerBudget;
  readonly signal: AbortSignal;
};

/**
 * The live records of a plan, oldest first, as compact columns: an answer is held before its first byte is sent, so that
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

/**
 * Records last written within a time (docs/reference/reading.md#order-of-steps, timeQuery MODIFIED), by their own time; a
 * limit takes the first written ones, or the last written where only an end is given. With them, when each was written.
 */
export async function collectModified(
  { reader, node, excluded, quality, budget, signal }: Collect,
  { startMs, endMs, limit }: { startMs: number | undefined; endMs: number | undefined; limit: number | undefined },
): Promise<{ records: RecordSet; modified: readonly number[] }> {
  let records = new RecordSet(node.series.valueType);
  let modified: number[] = [];
  const keepChosen = (max: number) => {
    if (records.count <= max) return;
    const order = Array.from(modified, (_, index) => index).sort(
      (a, b) => (modified[a] ?? 0) - (modified[b] ?? 0) || a - b,
    );
    const chosen = (startMs === undefined ? order.slice(-max) : order.slice(0, max)).sort((a, b) => a - b);
    const kept = records.select(chosen);
    budget.keepOf(records, kept);
    records = kept;
    modified = chosen.map((index) => modified[index] ?? 0);
  };
  const key = { nodeId: node.nodeId, valueType: node.series.valueType };
  const [from, to] = [startMs ?? 0, endMs ?? Number.MAX_SAFE_INTEGER];
  await reader.scanModified(key, from, to, signal, (record) => {
    if (excluded.has(quality.typeOf(record.quality))) return true;
    budget.add(records, record);
    modified.push(record.modifiedMs);
    // Rows come by their own time: of many, only those that may still be chosen are held.
    if (limit !== undefined && records.count >= 2 * limit + SPARE_RECORDS) keepChosen(limit);
    return true;
  });
  if (limit !== undefined) keepChosen(limit);
  return { records, modified };
}
