import type { ComponentChildren } from 'preact';

export type Column<Row> = {
  readonly id: string;
  readonly title: string;
  /** What is copied, exported, filtered by, and shown where there is no `cell`. */
  readonly text: (row: Row) => string;
  /** What rows are sorted by; absent: the text. Null comes last, whichever way. */
  readonly value?: (row: Row) => string | number | null;
  readonly cell?: (row: Row) => ComponentChildren;
  /** A track of a CSS grid, such as `minmax(8rem, 2fr)`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** Rows cannot be told apart without it: it is always shown. */
  readonly isFixed?: boolean;
  /** Not shown until somebody chooses it. */
  readonly isExtra?: boolean;
  /** The rows come in an order of their own, page by page: it cannot be sorted by. */
  readonly isUnsorted?: boolean;
};

export type Sort = { readonly id: string; readonly isDescending: boolean };
/** Which columns a person has switched on or off, against what is usual. */
export type Choice = Readonly<Record<string, boolean>>;

/** What is shown: the usual columns and those that are chosen, in the order of the page. */
export const shownOf = <Row>(columns: readonly Column<Row>[], choice: Choice): readonly Column<Row>[] =>
  columns.filter(({ id, isFixed, isExtra }) => isFixed || (choice[id] ?? !isExtra));

/** Making one takes longer than ordering a short list by it. */
const made = new Map<string, Intl.Collator['compare']>();
function comparing(locale: string): Intl.Collator['compare'] {
  let compare = made.get(locale);
  if (compare === undefined) {
    ({ compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));
    made.set(locale, compare);
  }
  return compare;
}

/** Texts as people order them: with numbers within texts as numbers, and without regard to case. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
  locale: string,
): readonly Row[] {
  const column = sort && columns.find(({ id }) => id === sort.id);
  if (!sort || !column) return rows;
  const compare = comparing(locale);
  const { value = column.text } = column;
  const keys = rows.map((row, i) => ({ row, key: value(row), i }));
  const sign = sort.isDescending ? -1 : 1;
  keys.sort((a, b) => {
    if (a.key === null || b.key === null) return (a.key === null ? 1 : 0) - (b.key === null ? 1 : 0) || a.i - b.i;
    const order =
      typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : compare(String(a.key), String(b.key));
    return order * sign || a.i - b.i;
  });
  return keys.map(({ row }) => row);
}

/** Rows in which each word of a text stands, in whichever column. */
export function filtered<Row>(rows: readonly Row[], columns: readonly Column<Row>[], text: string): readonly Row[] {
  const words = folded(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const all = folded(columns.map((column) => column.text(row)).join('\n'));
    return words.every((word) => all.includes(word));
  });
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The next way to sort by a column: upwards, downwards, as the rows come. */
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
