import { changes, collectIntervals, planIntervals, type SummarizedCollect } from '../../aggregates/index.ts';
import { type Collect, type Column, type ColumnQuery, collectRecords, resultOf, sampler } from '../../columns/index.ts';
import { collectM4, type OutlinedCollect } from '../../outlines/index.ts';
import { planRange, RecordSet } from '../../records/index.ts';
import { keyOf } from '../../series/index.ts';

/** A column is read from records, and from what the store finds in them. */
export type ColumnCollect = SummarizedCollect & OutlinedCollect;

/**
 * Collects the results of a column, oldest first: its records, those of them that stand out, or what its aggregate makes of them in one
 * pass (docs/reference/reading.md#order-of-steps, docs/reference/aggregates.md).
 * @throws DomainError too_large; invalid_argument
 */
export async function collectColumn(from: ColumnCollect, column: Column, query: ColumnQuery): Promise<RecordSet> {
  const { aggregate, periodic, m4Columns } = column.options;
  if (periodic) return collectIntervals(from, column, await planIntervals(from, column, periodic, query));
  if (aggregate === 'CHANGE') return collectChanges(from, column, query);
  if (m4Columns !== undefined) return (await collectM4(from, column, { count: m4Columns }, query.bounds)).records;
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
  // The number of records with that many changes is not known; the store reads on by growing pages.
  await from.reader.scan(keyOf(node), plan, from.signal, (record) => {
    if (from.excluded.has(from.quality.typeOf(record.quality))) return true;
    const sample = sampleOf(record);
    isEnough = sample !== undefined && !push(sample);
    return !isEnough;
  });
  if (!isEnough) finish();
  return plan.order === 'ascending' ? results : results.reversed();
}
