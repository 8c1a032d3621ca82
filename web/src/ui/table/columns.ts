import type { ComponentChildren } from 'preact';
import { textOrder } from './text-order.ts';

export type Column<Row> = {
  readonly id: string;
  readonly title: string;
  /** Returns the text that is copied, exported, filtered by, and shown where there is no `cell`. */
  readonly text: (row: Row) => string;
  /** Rows are sorted by this; absent, by the text. Null comes last, whichever way. */
  readonly value?: (row: Row) => string | number | null;
  readonly cell?: (row: Row) => ComponentChildren;
  /** The width is a track of a CSS grid, such as `minmax(8rem, 2fr)`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** Rows cannot be distinguished without it: it is always shown. */
  readonly isFixed?: boolean;
  /** The column is hidden until somebody chooses it. */
  readonly isExtra?: boolean;
  /** The rows come in an order of their own, page by page: it cannot be sorted by. */
  readonly isUnsorted?: boolean;
};

export type Sort = { readonly id: string; readonly isDescending: boolean };
/** A person has switched these columns on or off, against what is usual. */
export type Choice = Readonly<Record<string, boolean>>;

/** Lists the columns to show: the usual ones and those that are chosen, in the order of the page. */
export const shownOf = <Row>(columns: readonly Column<Row>[], choice: Choice): readonly Column<Row>[] =>
  columns.filter(({ id, isFixed, isExtra }) => isFixed || (choice[id] ?? !isExtra));

/** Sorts texts as people order them; null comes last, whichever way. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
  locale: string,
): readonly Row[] {
  const column = sort && columns.find(({ id }) => id === sort.id);
  if (!sort || !column) return rows;
  const { value = column.text } = column;
  const keys = rows.map(value);
  const byText = textOrder(
    keys.map((key) => (key === null ? '' : String(key))),
    locale,
  );
  const sign = sort.isDescending ? -1 : 1;
  const order = (a: number, b: number): number => {
    const [first, other] = [keys[a], keys[b]];
    if (first === null || other === null) return (first === null ? 1 : 0) - (other === null ? 1 : 0);
    return sign * (typeof first === 'number' && typeof other === 'number' ? first - other : byText(a, b));
  };
  return rows
    .map((_row, i) => i)
    .sort((a, b) => order(a, b) || a - b)
    .map((i) => rows[i]!);
}

/** Returns rows in which each word of a text stands, in whichever column. */
export function filtered<Row>(rows: readonly Row[], columns: readonly Column<Row>[], text: string): readonly Row[] {
  const words = folded(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const all = folded(columns.map((column) => column.text(row)).join('\n'));
    return words.every((word) => all.includes(word));
  });
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Returns the next way to sort by a column: upwards, downwards, as the rows come. */
export function nextSort(sort: Sort | undefined, id: string): Sort | undefined {
  if (sort?.id !== id) return { id, isDescending: false };
  return sort.isDescending ? undefined : { id, isDescending: true };
}

const GAP_REM = 0.75;

/** Below this width, in rem, columns are scrolled to: the least of each track, and what is between and beside them. */
export function leastWidth(tracks: readonly string[]): number {
  const least = tracks.map((track) => Number(/([\d.]+)rem/.exec(track)?.[1] ?? 0));
  return least.reduce((sum, width) => sum + width + GAP_REM, GAP_REM);
}
