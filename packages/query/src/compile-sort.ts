import { invalid } from '@catchment/errors';
import { binder, type Columns, type Resolved, resolveColumn } from './columns.ts';
import { type Part, partsOf } from './parts.ts';
import type { Sort, SortItem } from './sort.ts';

export interface SortOptions {
  /** SQL of `_id`: ties are broken by it, ascending. */
  readonly idSql: string;
  /** Used when `sort` has no items, for example `createdTime` ascending. */
  readonly fallback: Sort;
}

/**
 * Returns the text after ORDER BY (docs/reference/query-arguments.md#sort-limit-and-skip): missing values first in ASC, last in
 * DESC; strings by code point; different types by rank; ties by `_id`. Unknown attributes count as absent everywhere.
 * @throws DomainError invalid_argument: attribute not sortable
 */
export function compileSort(sort: Sort, columns: Columns, params: unknown[], options: SortOptions): string {
  const items = sort.length > 0 ? sort : options.fallback;
  const keys = items.flatMap((item) => {
    const resolved = resolveColumn(columns, item.path, binder(params), 'sortable');
    if (resolved === 'hidden') throw invalid('INVALID_SORT', `sort must not use ${item.path}`);
    return resolved === undefined ? [] : keysOf(resolved, item);
  });
  return [...keys, `${options.idSql} COLLATE "C" ASC`].join(', ');
}

function keysOf({ column }: Resolved, { direction }: SortItem): string[] {
  const parts = partsOf(column);
  const order = direction === 'ASC' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST';
  const keys = parts.map((part) => `${single(keySql(part), column.each, direction)} ${order}`);
  if (parts.length < 2) return keys;
  const ranks = parts.map(({ sql }, i) => `WHEN (${sql}) IS NOT NULL THEN ${i + 1}`).join(' ');
  return [`${single(`(CASE ${ranks} END)`, column.each, direction)} ${order}`, ...keys];
}

/** Booleans as numbers, because arrays need their least or greatest. */
function keySql({ sql, type, store }: Part): string {
  if (type === 'boolean') return `(${sql})::int`;
  const isText = type === 'string' || type === 'objectId' || (type === 'time' && store === 'text');
  return isText ? `(${sql}) COLLATE "C"` : `(${sql})`;
}

/** An array sorts by its least element in ASC and its greatest in DESC. */
const single = (sql: string, each: string | undefined, direction: SortItem['direction']): string =>
  each === undefined ? sql : `(SELECT ${direction === 'ASC' ? 'min' : 'max'}(${sql}) FROM ${each})`;
