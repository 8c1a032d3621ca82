import { tooLarge } from '@catchment/errors';
import { type Block, edgeOf, type FrameBlock, type TableBlock, type TextBlock } from './block.ts';

/** Blocks take so much when they are set in their fonts, by key; points. */
export type Measures = {
  readonly texts: ReadonlyMap<number, readonly Line[]>;
  /** Heights of `rowsOf` a table. */
  readonly tables: ReadonlyMap<number, readonly number[]>;
};

/** A line of a text is set like this. */
export type Line = {
  /** The line begins in this paragraph, at its character `start`. */
  readonly paragraph: number;
  readonly start: number;
  readonly height: number;
};

/** Heights of the area that content has on the first page and on all others. */
export type Heights = { readonly first: number; readonly other: number };

/** A block, or a part of one, is on a page. `x` and `y` are within the content area. */
export type Fragment = {
  readonly block: Block;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** A text has its lines from `from` to before `to`. */
  readonly lines?: { readonly from: number; readonly to: number };
  /** The fragment has rows of a table's body, and says whether its footer follows. */
  readonly rows?: { readonly from: number; readonly to: number; readonly withFooter: boolean };
};

export type Pages = {
  readonly pages: readonly (readonly Fragment[])[];
  /** A block begins on this page, from 0, by key. */
  readonly pageOf: ReadonlyMap<number, number>;
};

export const MAX_PAGES = 500;
/** Rounding of lengths in the browser. */
const NEARLY = 0.05;
/** A page that nothing fills. */
const ENDLESS = 1e9;
/** Lines of a split text that stay together on either side. */
const FEWEST_LINES = 2;

/**
 * Puts blocks onto pages (docs/reference/dashboards-and-reports.md#layout): each as far below what stands above it in the template as there,
 * and on the next page where it does not fit.
 * @throws DomainError too_large
 */
export function paginate(blocks: readonly Block[], measures: Measures, heights: Heights): Pages {
  const layout = new Layout(measures, heights);
  layout.place(blocks, 0, 0);
  return layout.result();
}

/** A block has been placed: the template has its lower end at one height, and it has come to lie at another. */
type Above = { readonly y: number; readonly end: number; readonly bottom: number; readonly isBreak: boolean };

/** Heights are counted through all pages: `top` of a block is the height of all pages before it, and its place on its page. */
class Layout {
  readonly #measures: Measures;
  readonly #heights: Heights;
  readonly #pages: Fragment[][] = [[]];
  readonly #pageOf = new Map<number, number>();

  constructor(measures: Measures, heights: Heights) {
    this.#measures = measures;
    this.#heights = heights;
  }

  result(): Pages {
    for (const page of this.#pages) page.sort((a, b) => a.block.key - b.block.key);
    return { pages: this.#pages, pageOf: this.#pageOf };
  }

  /** @returns where the lowest of the blocks ends */
  place(blocks: readonly Block[], x: number, top: number): number {
    const placed: Above[] = [];
    let lowest = top;
    for (const block of blocks.toSorted((a, b) => a.y - b.y)) {
      let blockTop = top + block.y;
      for (const { y, end, bottom, isBreak } of placed)
        if (isBreak || (y < block.y && end <= block.y + NEARLY))
          blockTop = Math.max(blockTop, bottom + Math.max(0, block.y - end));
      const bottom = this.#put(block, x + block.x, blockTop);
      const height = block.type === 'PAGE_BREAK' ? 0 : block.height;
      placed.push({ y: block.y, end: block.y + height, bottom, isBreak: block.type === 'PAGE_BREAK' });
      lowest = Math.max(lowest, bottom);
    }
    return lowest;
  }

  #put(block: Block, x: number, top: number): number {
    switch (block.type) {
      case 'TEXT':
        return this.#text(block, x, top);
      case 'TABLE':
        return this.#table(block, x, top);
      case 'FRAME':
        return this.#frame(block, x, top);
      case 'PAGE_BREAK':
        return this.#break(block, top);
      default:
        return this.#whole(block, x, top, block.height);
    }
  }

  /** Places a block that is not split; what does not fit on a page is left out. */
  #whole(block: Block, x: number, top: number, height: number, more: Partial<Fragment> = {}): number {
    const blockTop = this.#fitting(top, height);
    const shown = Math.min(height, this.#endOf(blockTop) - blockTop);
    this.#emit(block, x, blockTop, shown, more);
    return blockTop + shown;
  }

  #break(block: Block, top: number): number {
    const page = this.#pageAt(top);
    const isFresh = page > 0 && top - this.#topOf(page) < NEARLY && (this.#pages[page]?.length ?? 0) === 0;
    this.#pageOf.set(block.key, page);
    if (isFresh && !this.#breaks.has(page)) return top;
    this.#breaks.add(page + 1);
    return this.#topOf(this.#checked(page + 1));
  }

  /** Pages that a break has begun: a further one leaves them empty. */
  readonly #breaks = new Set<number>();

  #text(block: TextBlock, x: number, top: number): number {
    const lines = this.#measures.texts.get(block.key) ?? [];
    const before = edgeOf(block.style, 'TOP');
    const edges = before + edgeOf(block.style, 'BOTTOM');
    const heightOf = (from: number, to: number) =>
      lines.slice(from, to).reduce((sum, line) => sum + line.height, edges);
    const text = heightOf(0, lines.length);
    const height = Math.max(block.height, text);
    const fits = top + height <= this.#endOf(top) + NEARLY;
    const isHeld = block.keepTogether || lines.length < 2 * FEWEST_LINES || block.height >= text;
    if (fits || (isHeld && height <= this.#heights.other)) {
      return this.#whole(block, x, top, height, { lines: { from: 0, to: lines.length } });
    }
    let blockTop = top;
    for (let from = 0; ; ) {
      const room = this.#endOf(blockTop) - blockTop - edges;
      let to = from;
      for (let used = 0; to < lines.length; to += 1) {
        used += lines[to]!.height;
        if (used > room + NEARLY) break;
      }
      const isAtTop = blockTop - this.#topOf(this.#pageAt(blockTop)) < NEARLY;
      const left = lines.length - to;
      if (left > 0 && left < FEWEST_LINES && to - from > FEWEST_LINES) to -= FEWEST_LINES - left;
      if (to - from < Math.min(FEWEST_LINES, lines.length - from) && !isAtTop) to = from;
      if (to === from && isAtTop) to = from + 1;
      if (to > from) {
        const shown = Math.min(heightOf(from, to), this.#endOf(blockTop) - blockTop);
        this.#emit(block, x, blockTop, shown, { lines: { from, to } });
        if (to >= lines.length) return blockTop + shown;
      }
      from = to;
      blockTop = this.#topOf(this.#checked(this.#pageAt(blockTop) + 1));
    }
  }

  #table(block: TableBlock, x: number, top: number): number {
    const heights = this.#measures.tables.get(block.key) ?? [];
    const first = block.header ? 1 : 0;
    const header = first ? (heights[0] ?? 0) : 0;
    const footer = block.footer ? (heights.at(-1) ?? 0) : 0;
    const body = heights.slice(first, first + block.rows.length);
    const total = heights.reduce((sum, height) => sum + height, 0);
    const least = header + (body[0] ?? footer);
    let blockTop = block.keepTogether ? this.#fitting(top, total) : this.#fitting(top, least);
    let used = header;
    let from = 0;
    const close = (to: number, withFooter: boolean) => {
      const shown = Math.min(used, this.#endOf(blockTop) - blockTop);
      if (to > from || withFooter || (from === 0 && first))
        this.#emit(block, x, blockTop, shown, { rows: { from, to, withFooter } });
      return blockTop + shown;
    };
    const turn = (to: number) => {
      close(to, false);
      blockTop = this.#topOf(this.#checked(this.#pageAt(blockTop) + 1));
      used = header;
      from = to;
    };
    for (const [index, height] of body.entries()) {
      if (index > from && blockTop + used + height > this.#endOf(blockTop) + NEARLY) turn(index);
      used += height;
    }
    if (footer > 0 && body.length > from && blockTop + used + footer > this.#endOf(blockTop) + NEARLY)
      turn(body.length);
    used += footer;
    return close(body.length, footer > 0);
  }

  /** A frame stays on one page where its content fits on one; else its content flows, and the frame with it. */
  #frame(block: FrameBlock, x: number, top: number): number {
    const alone = new Layout(this.#measures, { first: ENDLESS, other: ENDLESS });
    const content = alone.place(block.blocks, 0, 0);
    const height = Math.max(block.height, content);
    const isWhole = height <= this.#heights.other;
    const start = isWhole ? this.#fitting(top, height) : top;
    const end = this.place(block.blocks, x, start);
    const bottom = Math.max(end, isWhole ? start + height : start);
    for (let page = this.#pageAt(start); this.#topOf(page) < bottom - NEARLY; page += 1) {
      const from = Math.max(start, this.#topOf(page));
      this.#emit(block, x, from, Math.min(bottom, this.#topOf(page + 1)) - from);
    }
    return bottom;
  }

  #emit(block: Block, x: number, top: number, height: number, more: Partial<Fragment> = {}): void {
    const page = this.#checked(this.#pageAt(top));
    if (!this.#pageOf.has(block.key)) this.#pageOf.set(block.key, page);
    while (this.#pages.length <= page) this.#pages.push([]);
    this.#pages[page]!.push({ block, x, y: Math.max(0, top - this.#topOf(page)), height, ...more });
  }

  /** Returns where a block of such a height begins: here, or on the next page. */
  #fitting(top: number, height: number): number {
    const page = this.#pageAt(top);
    if (top + height <= this.#topOf(page + 1) + NEARLY || top - this.#topOf(page) < NEARLY) return top;
    return this.#topOf(this.#checked(page + 1));
  }

  #endOf(top: number): number {
    return this.#topOf(this.#pageAt(top) + 1);
  }

  #topOf(page: number): number {
    const { first, other } = this.#heights;
    return page === 0 ? 0 : first + (page - 1) * other;
  }

  #pageAt(top: number): number {
    const { first, other } = this.#heights;
    if (top < first - NEARLY) return 0;
    return 1 + Math.max(0, Math.floor((top - first + NEARLY) / other));
  }

  #checked(page: number): number {
    if (page >= MAX_PAGES) throw tooLarge(`The report has more than ${MAX_PAGES} pages`);
    return page;
  }
}
