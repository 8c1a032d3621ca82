import { type Column, nextSort, type Sort } from './columns.ts';
import type { TableWords } from './words.ts';

type HeadProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly tracks: string;
  readonly isHidden: boolean;
  readonly hasPick: boolean;
  readonly pickLabel: string;
  readonly sort: Sort | undefined;
  readonly words: TableWords;
  readonly onSort: (sort: Sort | undefined) => void;
};

/** Shows names of columns, each a button that sorts by it. */
export function TableHead<Row>(props: HeadProps<Row>) {
  const { columns, tracks, isHidden, hasPick, pickLabel, sort, words, onSort } = props;
  return (
    <div role="rowgroup" class={isHidden ? 'unseen' : 'table-head'}>
      <div role="row" aria-rowindex={1} class="table-titles" style={{ gridTemplateColumns: tracks }}>
        {hasPick && (
          <div role="columnheader" class="table-pick">
            <span class="unseen">{pickLabel}</span>
          </div>
        )}
        {(isHidden ? columns.slice(0, 1) : columns).map((column) => {
          const order = sort?.id === column.id ? (sort.isDescending ? 'descending' : 'ascending') : 'none';
          return (
            <div
              key={column.id}
              role="columnheader"
              class={column.isNumber ? 'table-title is-number' : 'table-title'}
              aria-sort={column.isUnsorted ? undefined : order}
            >
              {column.isUnsorted || isHidden ? (
                <span>{column.title}</span>
              ) : (
                <button
                  type="button"
                  title={words.sortBy(column.title)}
                  onClick={() => onSort(nextSort(sort, column.id))}
                >
                  <span>{column.title}</span>
                  <span class="table-sort" data-sort={order} aria-hidden="true" />
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
