import type { Style } from './template.ts';

/** An element is printed like this: expressions are evaluated, styles are settled. Lengths are points. */
export type Block = TextBlock | LineBlock | FrameBlock | BreakBlock | PictureBlock | TableBlock;

type Placed = {
  /**
   * Number of the block, unique in the document; it grows in the order of the template, which is the order of painting.
   */
  readonly key: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly keepTogether: boolean;
  /** http, https, mailto; or empty. */
  readonly link: string;
  readonly style: Style;
};

export type TextBlock = Placed & {
  readonly type: 'TEXT';
  readonly text: string;
  /** The block makes a bookmark of this level; 0 = none. */
  readonly heading: number;
};
type LineBlock = Placed & { readonly type: 'LINE'; readonly lineColor: string; readonly lineWidth: number };
export type FrameBlock = Placed & {
  readonly type: 'FRAME';
  readonly lineColor: string;
  readonly lineWidth: number;
  readonly blocks: readonly Block[];
};
type BreakBlock = Placed & { readonly type: 'PAGE_BREAK' };
type PictureBlock = Placed & {
  readonly type: 'PICTURE';
  /** Names the picture among those of the document. */
  readonly picture: string;
  /** Describes in words what the picture shows. */
  readonly alt: string;
};
export type TableBlock = Placed & {
  readonly type: 'TABLE';
  readonly columns: readonly number[];
  /** Repeated on every page that the table is on. */
  readonly header: Row | undefined;
  readonly rows: readonly Row[];
  readonly footer: Row | undefined;
};
export type Row = readonly Cell[];
export type Cell = { readonly text: string; readonly colspan: number; readonly style: Style };

/** Returns all rows of a table, in the order in which their heights are measured. */
export const rowsOf = ({ header, rows, footer }: Pick<TableBlock, 'header' | 'rows' | 'footer'>): readonly Row[] => [
  ...(header ? [header] : []),
  ...rows,
  ...(footer ? [footer] : []),
];

/** Space that border and padding take at the top, or at the bottom, of a box. */
export const edgeOf = ({ padding, borderSides, borderWidth }: Style, side: 'TOP' | 'BOTTOM'): number =>
  padding + (borderSides.includes(side) ? borderWidth : 0);
