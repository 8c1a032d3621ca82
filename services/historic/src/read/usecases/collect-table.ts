import { inParallel, inSlices } from '@catchment/fair-queue';
import { collectIntervals, planIntervals, summarizeColumns } from '../../aggregates/index.ts';
import type { Column, ColumnQuery } from '../../columns/index.ts';
import { type ColumnTable, columnTable } from '../../formats/index.ts';
import { type ColumnCollect, collectColumn } from './collect-aggregate.ts';

/** This many columns of one answer are read from the store at a time. */
export const COLUMNS_AT_A_TIME = 4;

/** The columns of an answer have these in common. */
export type SharedCollect = Pick<
  ColumnCollect,
  'reader' | 'summaries' | 'outlines' | 'excluded' | 'quality' | 'budget'
>;

/**
 * Collects the columns of an answer, joined on their times (docs/reference/reading.md#columns); a limit counts rows over all of them.
 * @throws DomainError too_large; invalid_argument
 */
export async function collectTable(
  shared: SharedCollect,
  columns: readonly Column[],
  query: ColumnQuery,
  signal: AbortSignal,
): Promise<ColumnTable> {
  const { bounds, limit } = query;
  const isFromEnd = bounds.startMs === undefined;
  const fromOf = (column: Column, stopping: AbortSignal): ColumnCollect => ({
    ...shared,
    node: column.node,
    signal: stopping,
  });
  const planned = await inParallel(columns, { atOnce: COLUMNS_AT_A_TIME, signal }, async (column, stopping) => {
    const { periodic } = column.options;
    return { column, plan: periodic && (await planIntervals(fromOf(column, stopping), column, periodic, query)) };
  });
  const summarized = planned.flatMap(({ column, plan }) => (plan?.question ? [{ column, plan }] : []));
  const folders = await summarizeColumns({ ...shared, signal }, summarized);
  const found = await inParallel(planned, { atOnce: COLUMNS_AT_A_TIME, signal }, async ({ column, plan }, stopping) => {
    const from = fromOf(column, stopping);
    if (!plan) return { view: column.view, records: await collectColumn(from, column, query) };
    const folder = folders.get(column);
    // A question that the store could not answer is not repeated.
    const settled = folder ? plan : { ...plan, question: undefined };
    return { view: column.view, records: await collectIntervals(from, column, settled, folder) };
  });
  return inSlices(columnTable(found, limit, isFromEnd), { signal });
}
