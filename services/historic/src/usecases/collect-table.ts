import { type ColumnTable, columnTable } from '../domain/column-table.ts';
import { chosenTimes } from '../domain/modified-rows.ts';
import type { QueryOptions } from '../domain/read-options.ts';
import { type Column, type ColumnQuery, collectColumn } from './collect-aggregate.ts';
import { type Collect, collectModified } from './collect-records.ts';
import { inParallel } from './in-parallel.ts';

/** Columns of one answer that are read from the store at a time. */
const COLUMNS_AT_A_TIME = 4;

/**
 * The columns of an answer, joined on their times (semantics 6.3); a limit counts rows over all of them.
 * @throws DomainError too_large; invalid_argument
 */
export async function collectTable(
  { reader, excluded, quality, budget }: Pick<Collect, 'reader' | 'excluded' | 'quality' | 'budget'>,
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
      const from = { reader, node, excluded, quality, budget, signal: own };
      return { view, ...(await collectModified(from, { ...bounds, limit: limitOfEach })) };
    });
    return limit === undefined ? columnTable(found) : { columns: found, times: chosenTimes(found, limit, isFromEnd) };
  }
  const found = await inParallel(columns, COLUMNS_AT_A_TIME, signal, async (column, own) => {
    const from = { reader, node: column.node, excluded, quality, budget, signal: own };
    return { view: column.view, records: await collectColumn(from, column, query) };
  });
  return columnTable(found, limit, isFromEnd);
}
