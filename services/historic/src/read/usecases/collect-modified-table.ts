import { inParallel, inSlices } from '@catchment/fair-queue';
import {
  type Bounds,
  type Column,
  collectModified,
  firstWritten,
  nextText,
  type Place,
  placeIn,
  type QueryOptions,
} from '../../columns/index.ts';
import { type ColumnTable, columnTable } from '../../formats/index.ts';
import { MIN_RECORD_MS } from '../../series/index.ts';
import { COLUMNS_AT_A_TIME, type SharedCollect } from './collect-table.ts';

/** Rows have the order in which they were written. The same request goes on with the text `next`; undefined: there is nothing more. */
type ModifiedTable = { readonly table: ColumnTable; readonly next: string | undefined };

/**
 * The answer of timeQuery MODIFIED. A limit takes the rows that were written first, of those that are settled: whoever goes on from there
 * misses none that comes later (docs/reference/reading.md#changes-page-by-page).
 * @param range.settledMs nothing that was written later is answered with a limit, Unix ms
 * @throws DomainError too_large; invalid_argument for a wrong `after`
 */
export async function collectModifiedTable(
  shared: SharedCollect,
  columns: readonly Column[],
  { limit, after: named }: Pick<QueryOptions, 'limit' | 'after'>,
  { bounds, settledMs = 0 }: { readonly bounds: Bounds; readonly settledMs: number | undefined },
  signal: AbortSignal,
): Promise<ModifiedTable> {
  const nodeIds = columns.map(({ node }) => node.nodeId);
  const after = named && placeIn(named, nodeIds);
  // A row more than the page can have shows that there are more.
  const range = { ...bounds, after, most: limit === undefined ? undefined : limit + 1 };
  const found = await inParallel(columns, { atOnce: COLUMNS_AT_A_TIME, signal }, async ({ node, view }, stopping) => ({
    view,
    ...(await collectModified({ ...shared, node, signal: stopping }, range)),
  }));
  if (limit === undefined) return { table: await inSlices(columnTable(found), { signal }), next: undefined };
  const { indexes, last, hasMore } = firstWritten(found, limit, settledMs);
  const shown = found.map(({ view, records }, n) => ({ view, records: records.select(indexes[n] ?? []) }));
  const table = await inSlices(columnTable(shown), { signal });
  const begin: Place = { modifiedMs: Math.max(0, bounds.startMs ?? 0), timeMs: MIN_RECORD_MS - 1 };
  return { table, next: hasMore ? nextText(last ?? after ?? begin, nodeIds) : undefined };
}
