import type { Area, Block, BlockType, Paper, ReportLink } from '../../data/pages/reports.ts';
import { newTileId } from '../../data/pages/tiles.ts';
import type { Document } from '../../ui/form/draft.ts';

/** Each block of an edited report has its own key, so that two people who change different blocks are in nobody's way. */
const BLOCK = 'block ';
const OWN = ['name', 'description', 'links', 'schedule', 'timezone', 'timezoneAdjustForDst'] as const;
const PAPER = ['pageFormat', 'width', 'height', 'orientation', 'margins', 'header', 'footer', 'styles'] as const;

export const blockKey = (id: string): string => `${BLOCK}${id}`;

type Stored = Readonly<Record<string, unknown>> & {
  readonly template?: Readonly<Record<string, unknown>> & { readonly elements?: readonly Block[] };
};

export const documentOf = (node: Stored): Document => ({
  ...Object.fromEntries(
    OWN.map((name) => [name, node[name] ?? (name === 'links' ? [] : name === 'schedule' ? null : '')]),
  ),
  ...Object.fromEntries(PAPER.map((name) => [name, node.template?.[name] ?? null])),
  ...Object.fromEntries((node.template?.elements ?? []).map((block) => [blockKey(block._id), block])),
});

/** Lists blocks in the order of the template: what comes later is drawn over what came before. */
export const blocksOf = (document: Document): readonly Block[] =>
  Object.entries(document).flatMap(([key, value]) =>
    key.startsWith(BLOCK) && value !== null && value !== undefined ? [value as Block] : [],
  );

export const linksOf = (document: Document): readonly ReportLink[] => document.links as readonly ReportLink[];

export const paperOf = (document: Document): Paper =>
  Object.fromEntries(PAPER.map((name) => [name, document[name] ?? undefined])) as unknown as Paper;

const templateOf = (document: Document): Document => ({
  ...Object.fromEntries(PAPER.flatMap((name) => (document[name] === null ? [] : [[name, document[name]]]))),
  elements: blocksOf(document),
});

/** Makes the body of an update: the whole template, where anything of it is another. */
export function bodyOf(changes: Document, document: Document): Document {
  const names = Object.keys(changes);
  const isPaper = names.some((name) => name.startsWith(BLOCK) || PAPER.includes(name as never));
  return {
    ...Object.fromEntries(OWN.flatMap((name) => (names.includes(name) ? [[name, document[name]]] : []))),
    ...(isPaper && { template: templateOf(document) }),
  };
}

/** Picks what is printed of a report that is not saved. */
export const printedOf = (document: Document): Document => ({
  ...Object.fromEntries(
    OWN.flatMap((name) => (name === 'schedule' || name === 'description' ? [] : [[name, document[name]]])),
  ),
  template: templateOf(document),
});

/** Finds the block, or the one within a frame, that a path such as `template.elements[3].elements[0].content` names, and what of it. */
export function placeAt(
  path: string,
  blocks: readonly Block[],
): { readonly block: Block; readonly path: string } | undefined {
  const [, index, rest = ''] = /^(?:template\.)?elements\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const block = index === undefined ? undefined : blocks[Number(index)];
  if (!block) return undefined;
  return (rest.startsWith('elements[') && placeAt(rest, block.elements ?? [])) || { block, path: rest };
}

/** Finds a block by its id, within frames too. */
export function findBlock(id: string | undefined, blocks: readonly Block[]): Block | undefined {
  for (const block of blocks) {
    if (block._id === id) return block;
    const inner = findBlock(id, block.elements ?? []);
    if (inner) return inner;
  }
  return undefined;
}

/** Returns the block of the template in which a block lies, or that it is. */
export const outerOf = (id: string, blocks: readonly Block[]): Block | undefined =>
  blocks.find((block) => block._id === id || findBlock(id, block.elements ?? []) !== undefined);

/** Returns a frame with another block in place of one that it holds; null: without it. */
export const within = (outer: Block, id: string, next: Block | null): Block | null =>
  outer._id === id
    ? next
    : {
        ...outer,
        elements: (outer.elements ?? []).flatMap((element) =>
          element._id === id ? (next === null ? [] : [next]) : [element],
        ),
      };

const FORMATS: Readonly<Record<string, readonly [number, number]>> = {
  A3: [842, 1191],
  A4: [595, 842],
  A5: [420, 595],
  LETTER: [612, 792],
};

export type Geometry = {
  readonly page: { readonly width: number; readonly height: number };
  /** Each area begins here and has this room, in points; undefined where it is switched off. */
  readonly areas: Readonly<
    Record<
      Area,
      { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | undefined
    >
  >;
};

/**
 * Lays out a first page with header and footer (docs/reference/dashboards-and-reports.md#layout).
 * @param least height that the content needs
 */
export function geometryOf(paper: Paper, least = 0): Geometry {
  const [short, long] = FORMATS[paper.pageFormat] ?? [paper.width ?? 595, paper.height ?? 842];
  const [width, height] = paper.orientation === 'LANDSCAPE' ? [long, short] : [short, long];
  const { margins, header, footer } = paper;
  const x = margins.left;
  const inner = Math.max(width - margins.left - margins.right, 20);
  const top = margins.top + (header.enabled ? header.size : 0);
  const below = margins.bottom + (footer.enabled ? footer.size : 0);
  const content = Math.max(height - top - below, 20, least);
  const whole = Math.max(height, top + content + below);
  return {
    page: { width, height: whole },
    areas: {
      HEADER: header.enabled ? { x, y: margins.top, width: inner, height: header.size } : undefined,
      CONTENT: { x, y: top, width: inner, height: content },
      FOOTER: footer.enabled ? { x, y: top + content, width: inner, height: footer.size } : undefined,
    },
  };
}

/** A block that takes its size from what it shows looks this large. */
const SIZES: Readonly<Record<BlockType, readonly [number, number]>> = {
  TEXT: [0, 20],
  IMAGE: [0, 180],
  TABLE: [0, 40],
  LINE: [0, 2],
  FRAME: [0, 60],
  BARCODE: [200, 60],
  PAGE_BREAK: [0, 12],
};

/** @param room width of its area */
export function shownSize(block: Block, room: number): { readonly width: number; readonly height: number } {
  const [, height] = SIZES[block.type];
  const rows = (block.headerRow?.length ? 1 : 0) + (block.rows?.length ?? 0) + (block.footerRow?.length ? 1 : 0);
  const columns = block.columns?.reduce((sum, { width = 100 }) => sum + width, 0) ?? 0;
  const size = Number(block.style?.fontSize ?? 12) * 1.4;
  const lines = (block.content ?? '').split('\n').length;
  const usual = block.type === 'TABLE' ? Math.max(rows, 1) * size : block.type === 'TEXT' ? lines * size : height;
  return {
    width: block.type === 'TABLE' ? columns : block.width || Math.max(room - block.x, 20),
    height: Math.max(block.height || usual, block.type === 'LINE' ? 0 : 8),
  };
}

/** Returns the end of all that stands in an area. */
export const lowerEnd = (blocks: readonly Block[], area: Area): number =>
  blocks
    .filter((block) => block.area === area)
    .reduce((end, block) => Math.max(end, block.y + shownSize(block, 500).height), 0);

/** Returns the name under which expressions know a node: docs/reference/dashboards-and-reports.md#report. */
export function linkName(name: string, taken: readonly string[]): string {
  const base = name.replaceAll(' ', '_').replaceAll(/[^A-Za-z0-9_]/g, '') || 'link';
  let free = base;
  for (let n = 2; taken.includes(free); n += 1) free = `${base}${n}`;
  return free;
}

const cell = (content: string): { readonly content: string } => ({ content });

/** Makes a new block of a type, in the room below all others. @param link the name of the node that it shows */
export function newBlock(type: BlockType, blocks: readonly Block[], link: string | undefined, room: number): Block {
  const y = Math.ceil((lowerEnd(blocks, 'CONTENT') + (blocks.length === 0 ? 0 : 10)) / 5) * 5;
  const common = { _id: newTileId(), type, area: 'CONTENT', x: 40, y, width: 0, height: 0 } as const;
  const wide = Math.max(room - 80, 100);
  switch (type) {
    case 'TEXT':
      return {
        ...common,
        width: wide,
        content: link ? `${link.replaceAll('_', ' ')}: {{ ${link}.currentValueFormatted }}` : '',
      };
    case 'IMAGE':
      return { ...common, width: wide, height: 200, source: link ? `{{ ${link}.image }}` : '' };
    case 'TABLE':
      return {
        ...common,
        columns: [
          { width: Math.round(wide * 0.5) },
          { width: Math.round(wide * 0.25) },
          { width: Math.round(wide * 0.25) },
        ],
        headerRow: [cell(''), cell(''), cell('')],
        rows: [
          link
            ? [
                cell(`{{ ${link}.name }}`),
                cell(`{{ ${link}.currentValueFormatted }}`),
                cell(`{{ ${link}.currentStateName }}`),
              ]
            : [cell(''), cell(''), cell('')],
        ],
        style: {
          borderSides: ['TOP', 'RIGHT', 'BOTTOM', 'LEFT'],
          borderWidth: 0.5,
          borderColor: '#999999',
          padding: 4,
        },
      };
    case 'LINE':
      return { ...common, width: wide, height: 0, lineWidth: 1, lineColor: '#666666' };
    case 'FRAME':
      return { ...common, width: wide, height: 80, lineWidth: 1, lineColor: '#666666', elements: [] };
    case 'BARCODE':
      return { ...common, width: 200, height: 60, content: link ? `{{ ${link}.customId }}` : 'CATCHMENT' };
    case 'PAGE_BREAK':
      return { ...common, x: 0 };
  }
}
