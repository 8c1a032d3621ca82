type Span = { readonly from: number; readonly to: number };

/** Fewer lines say little about columns. */
const LINES_MIN = 3;

/**
 * Returns the widths of columns that are aligned by blanks, where every line has a blank between two of them; `above` is the line
 * above them. Lines whose fields are all equally long, or not aligned, are as well read as parted by blanks, which
 * stays right when a number grows.
 * @returns undefined where there are no such columns
 */
export function fixedColumns(data: readonly string[], above = ''): readonly number[] | undefined {
  if (data.length < LINES_MIN || data.some((line) => line.includes('\t'))) return undefined;
  const columns = underLabels(spansOf(occupied(data)), above);
  if (columns.length < 2 || !columns.some((column) => isPadded(column, data))) return undefined;
  const starts = columns.map((column, n) => (n === 0 ? 0 : startOf(column, columns[n - 1]?.to ?? 0, data)));
  const counts = new Set(data.map((line) => spansOf(line).length));
  // Blanks part columns that have as many words in each line, however long one grows, unless names of several words are above the columns.
  if (
    counts.size === 1 &&
    (above.trim() === '' || starts.some((start) => start > 0 && /^[^ ]{2}$/.test(above.slice(start - 1, start + 1))))
  )
    return undefined;
  return starts.map((start, n) => (starts[n + 1] ?? columns.at(-1)?.to ?? start) - start);
}

/** Words of one text are no columns: where the first line has names, each column has one, or belongs to the column before. */
function underLabels(columns: readonly Span[], first: string): Span[] {
  if (/\d/.test(first) || spansOf(first).length < 2) return [...columns];
  const labels = spansOf(first);
  const joined: Span[] = [];
  for (const { from, to } of columns) {
    const before = joined.at(-1);
    const isNamed = labels.some((label) => label.from < to && label.to > (before?.to ?? 0));
    if (before && !isNamed) joined[joined.length - 1] = { from: before.from, to };
    else joined.push({ from, to });
  }
  return joined;
}

/** Marks where any of the lines has a character. */
function occupied(lines: readonly string[]): string {
  const width = lines.reduce((longest, { length }) => Math.max(longest, length), 0);
  let marks = '';
  for (let at = 0; at < width; at += 1) marks += lines.some((line) => (line[at] ?? ' ') !== ' ') ? 'x' : ' ';
  return marks;
}

const spansOf = (line: string): Span[] =>
  [...line.matchAll(/[^ ]+/g)].map(({ index, 0: text }) => ({ from: index, to: index + text.length }));

const cellOf = ({ from, to }: Span, line: string): string => line.slice(from, to).padEnd(to - from);
const isBlank = (text: string): boolean => text.trim() === '';

/** Some cells are shorter than the column: it is aligned, or has cells without anything. */
const isPadded = (column: Span, lines: readonly string[]): boolean =>
  lines.some((line) => /^ | $/.test(cellOf(column, line)));

/** First character of a column. The blanks before right-aligned columns belong to them: a longer number still fits. */
function startOf(column: Span, previousEnd: number, lines: readonly string[]): number {
  const cells = lines.map((line) => cellOf(column, line)).filter((cell) => !isBlank(cell));
  const isRight = cells.some((cell) => cell.startsWith(' ')) && cells.every((cell) => !cell.endsWith(' '));
  return isRight ? previousEnd : column.from;
}
