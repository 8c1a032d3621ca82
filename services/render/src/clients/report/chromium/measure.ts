/** Measuring needs this of a document; the functions here are run by the browser. */
type Rect = { readonly top: number; readonly bottom: number; readonly height: number };
type Node = { readonly textContent: string | null };
type Box = {
  readonly dataset: Readonly<Record<string, string | undefined>>;
  readonly children: ArrayLike<Box>;
  readonly firstChild: Node | null;
  querySelectorAll(selector: string): ArrayLike<Box>;
  getBoundingClientRect(): Rect;
};
type Ranged = {
  setStart(node: Node, offset: number): void;
  setEnd(node: Node, offset: number): void;
  getClientRects(): ArrayLike<Rect>;
};
declare const document: Pick<Box, 'querySelectorAll'> & { createRange(): Ranged };

type MeasuredPage = {
  /** The key is that of the text: [paragraph, start, height in pixels] of each line. */
  readonly texts: readonly (readonly [key: number, lines: readonly (readonly [number, number, number])[]])[];
  /** The key is that of the table, with the heights of rows in pixels. */
  readonly tables: readonly (readonly [key: number, rows: readonly number[]])[];
};

/** Measures lines of all texts and heights of all rows of a page of `measuredHtml`. The browser runs it, so it names nothing outside. */
export function measurePage(): MeasuredPage {
  const range = document.createRange();
  const linesOf = (paragraph: Box, index: number): [number, number, number][] => {
    const { height } = paragraph.getBoundingClientRect();
    const node = paragraph.firstChild;
    const text = node?.textContent ?? '';
    const whole: [number, number, number][] = [[index, 0, height]];
    if (!node || text.length < 2) return whole;
    const topAt = (offset: number): number => {
      range.setStart(node, offset);
      range.setEnd(node, offset + 1);
      const rects = range.getClientRects();
      return rects.length > 0 ? rects[rects.length - 1]!.top : Number.NaN;
    };
    const isBelow = (offset: number, top: number) => topAt(offset) > top + 1;
    const starts = [0];
    for (let start = 0; ; ) {
      const top = topAt(start);
      // The end of the line lies between two offsets that are found by doubling.
      let low = start;
      let high = start;
      for (let step = 32; high < text.length; step *= 2) {
        low = high;
        high = Math.min(text.length, start + step);
        if (high === text.length || isBelow(high, top)) break;
      }
      if (high === text.length && !isBelow(text.length - 1, top)) break;
      high = Math.min(high, text.length - 1);
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (isBelow(middle, top)) high = middle;
        else low = middle;
      }
      if (high <= start) break;
      starts.push(high);
      start = high;
    }
    return starts.map((start) => [index, start, height / starts.length]);
  };
  const texts = Array.from(document.querySelectorAll('[data-text]'), (text) => {
    const lines = Array.from(text.children, linesOf).flat();
    return [Number(text.dataset.text), lines] as const;
  });
  const tables = Array.from(document.querySelectorAll('[data-table]'), (table) => {
    const rows = Array.from(table.querySelectorAll('tr'), (row) => row.getBoundingClientRect().height);
    return [Number(table.dataset.table), rows] as const;
  });
  return { texts, tables };
}
