import { type ColumnTable, columnTable } from '../domain/column-table.ts';
import { chosenTimes } from '../domain/modified-rows.ts';
import type { QueryOptions } from '../domain/read-options.ts';
import { collectColumn } from './collect-aggregate.ts';
import { collectIntervals } from './collect-intervals.ts';
import { type Collect, collectModified } from './collect-records.ts';
import { inParallel } from './in-parallel.ts';
import { planIntervals } from './plan-intervals.ts';
import type { Column, ColumnQuery } from './read-column.ts';
import { summarizeColumns } from './summarize-columns.ts';

/** Columns of one answer that are read from the store at a time. */
const COLUMNS_AT_A_TIME = 4;

/**
 * The columns of an answer, joined on their times (docs/reference/reading.md#columns); a limit counts rows over all of them.
 * @throws DomainError too_large; invalid_argument
 */
export async function collectTable(
  shared: Pick<Collect, 'reader' | 'summaries' | 'outlines' | 'excluded' | 'quality' | 'budget'>,
  columns: readonly Column[],
  { timeQuery }: Pick<QueryOptions, 'timeQuery'>,
  query: ColumnQuery,
  signal: AbortSignal,
): Promise<ColumnTable> {
  const { bounds, limit } = query;
  const isFromEnd = bounds.startMs === undefined;
  if (timeQuery === 'MODIFIED') {
    // Which rows of several columns are the first written ones is known when all have been seen.
    const limitOfEach = columns.length === 1 ? limit : undefined;
    const found = await inParallel(columns, COLUMNS_AT_A_TIME, signal, async ({ node, view }, own) => {
      const from = { ...shared, node, signal: own };
      return { view, ...(await collectModified(from, { ...bounds, limit: limitOfEach })) };
    });
    return limit === undefined ? columnTable(found) : { columns: found, times: chosenTimes(found, limit, isFromEnd) };
  }
  const fromOf = (column: Column, own: AbortSignal): Collect => ({ ...shared, node: column.node, signal: own });
  const planned = await inParallel(columns, COLUMNS_AT_A_TIME, signal, async (column, own) => {
    const { periodic } = column.options;
    return { column, plan: periodic && (await planIntervals(fromOf(column, own), column, periodic, query)) };
  });
  const summarized = planned.flatMap(({ column, plan }) => (plan?.question ? [{ column, plan }] : []));
  const folders = await summarizeColumns({ ...shared, signal }, summarized);
  const found = await inParallel(planned, COLUMNS_AT_A_TIME, signal, async ({ column, plan }, own) => {
    const from = fromOf(column, own);
    if (!plan) return { view: column.view, records: await collectColumn(from, column, query) };
    const folder = folders.get(column);
    // A question that the store could not answer is not repeated.
    const settled = folder ? plan : { ...plan, question: undefined };
    return { view: column.view, records: await collectIntervals(from, column, settled, folder) };
  });
  return columnTable(found, limit, isFromEnd);
}
