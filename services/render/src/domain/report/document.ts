import type { Block } from './block.ts';
import type { Fragment, Measures } from './paginate.ts';
import type { PageSize, Template } from './template.ts';

/** A report that is ready to be printed. */
export type ReportDocument = {
  readonly title: string;
  readonly language: string;
  readonly page: PageSize;
  readonly pages: readonly DocumentPage[];
  readonly measures: Measures;
  /** Data URLs by name. */
  readonly pictures: ReadonlyMap<string, string>;
};

/** The areas of a page begin here, in points from its upper left corner, and hold this. */
export type DocumentPage = {
  readonly areas: readonly {
    readonly role: 'header' | 'content' | 'footer';
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly fragments: readonly Fragment[];
  }[];
};

/** The areas of pages lie here. */
export type Geometry = {
  readonly width: number;
  readonly hasHeader: (page: number) => boolean;
  readonly hasFooter: (page: number) => boolean;
  readonly contentTop: (page: number) => number;
  readonly contentHeight: (page: number) => number;
};

/** Content is never lower than this: margins may leave none. */
const LEAST = 20;

export function geometryOf({ page, margins, header, footer }: Template): Geometry {
  const shown = ({ enabled, display }: Template['header'], index: number) =>
    enabled && (display === 'ALWAYS' || index > 0);
  const hasHeader = (index: number) => shown(header, index);
  const hasFooter = (index: number) => shown(footer, index);
  const contentTop = (index: number) => margins.top + (hasHeader(index) ? header.size : 0);
  const below = (index: number) => margins.bottom + (hasFooter(index) ? footer.size : 0);
  return {
    width: Math.max(page.width - margins.left - margins.right, LEAST),
    hasHeader,
    hasFooter,
    contentTop,
    contentHeight: (index) => Math.max(page.height - contentTop(index) - below(index), LEAST),
  };
}

/** Puts blocks of a header or footer where the template has put them; their area clips them. */
export const fixedFragments = (blocks: readonly Block[], measures: Measures, height: number): Fragment[] =>
  blocks.flatMap((block): Fragment[] => {
    const room = Math.max(height - block.y, 0);
    if (block.type === 'PAGE_BREAK' || (room === 0 && block.type !== 'LINE')) return [];
    const fragment: Fragment = { block, x: block.x, y: block.y, height: Math.min(block.height || room, room) };
    if (block.type === 'TEXT')
      return [{ ...fragment, lines: { from: 0, to: measures.texts.get(block.key)?.length ?? 0 } }];
    if (block.type === 'TABLE') return [{ ...fragment, rows: { from: 0, to: block.rows.length, withFooter: true } }];
    if (block.type !== 'FRAME') return [block.type === 'LINE' ? { ...fragment, height: block.height } : fragment];
    const inner = fixedFragments(block.blocks, measures, fragment.height);
    return [fragment, ...inner.map((piece) => ({ ...piece, x: piece.x + block.x, y: piece.y + block.y }))];
  });
