import type { Block, Cell, Row } from './block.ts';
import { type Evaluator, namesPage, type PageNames } from './evaluate.ts';
import { headingOf } from './headings.ts';
import { type Area, type CellTemplate, type Element, mergedStyle, type Style, type Template } from './template.ts';

/** A picture of the template is this, once its expression is evaluated. */
export type PictureWish =
  | { readonly kind: 'SOURCE'; readonly source: string; readonly width: number; readonly height: number }
  | { readonly kind: 'BARCODE'; readonly content: string };

/** Takes a wish, and names the picture that it will be: see `PictureBlock.picture`. */
type PictureOf = (wish: PictureWish, at: string) => string;

export type BlocksOptions = {
  readonly evaluator: Evaluator;
  readonly pictureOf: PictureOf;
  readonly area: Area;
  /** Width of the area. */
  readonly width: number;
  /** Sizes of texts that make headings. */
  readonly headings: readonly number[];
  /** Lets others work in between: a report may take a second of expressions. */
  readonly pause: () => Promise<void>;
  /** Returns the page of an element, for those that name it. */
  readonly pageOf: (key: number) => PageNames;
};

const BARCODE = { width: 200, height: 60 };
const LINK = /^(?:https?:\/\/|mailto:)/i;

/** Returns the elements of an area as they are printed, in the order of the template. */
export async function blocksOf(template: Template, options: BlocksOptions): Promise<Block[]> {
  const keys = keysOf(template.elements);
  const elements = template.elements.filter(({ area }) => area === options.area);
  return blocksOfSome(template, elements, keys, options.width, options);
}

async function blocksOfSome(
  template: Template,
  elements: readonly Element[],
  keys: ReadonlyMap<Element, number>,
  areaWidth: number,
  options: BlocksOptions,
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const element of elements) {
    const block = await blockOf(template, element, keys, areaWidth, options);
    if (block) blocks.push(block);
  }
  return blocks;
}

/** Pictures that the template asks for, in the order in which `blocksOf` does. */
function keysOf(elements: readonly Element[]): ReadonlyMap<Element, number> {
  const keys = new Map<Element, number>();
  const visit = (some: readonly Element[]) => {
    for (const element of some) {
      keys.set(element, keys.size);
      visit(element.elements);
    }
  };
  visit(elements);
  return keys;
}

/** Returns whether anything of an element depends on its page. */
const isPaged = ({ content, printIf, conditionalStyle, link, source, headerRow, rows, footerRow }: Element): boolean =>
  namesPage(
    content,
    printIf,
    conditionalStyle?.condition ?? '',
    link,
    source,
    ...[headerRow, ...rows, footerRow].flat().map((cell) => cell.content),
  );

/** Returns whether anything in an area depends on the page. */
export const areaNamesPage = ({ elements }: Template, area: Area): boolean => {
  const any = (some: readonly Element[]): boolean => some.some((element) => isPaged(element) || any(element.elements));
  return any(elements.filter((element) => element.area === area));
};

async function blockOf(
  template: Template,
  element: Element,
  keys: ReadonlyMap<Element, number>,
  areaWidth: number,
  options: BlocksOptions,
): Promise<Block | undefined> {
  await options.pause();
  const { evaluator } = options;
  const { at, x, y, keepTogether, height } = element;
  const key = keys.get(element)!;
  const page = isPaged(element) ? options.pageOf(key) : undefined;
  if (element.printIf.trim() !== '' && !evaluator.holds(`${at}.printIf`, element.printIf, page)) return undefined;
  const style = styleOf(template, element, evaluator, page);
  const width = element.width > 0 ? element.width : Math.max(areaWidth - x, 1);
  const link = element.link === '' ? '' : evaluator.text(`${at}.link`, element.link, page).trim();
  if (link !== '' && !LINK.test(link)) evaluator.fail(`${at}.link`, 'must begin with http://, https:// or mailto:');
  const placed = { key, x, y, width, height, keepTogether, style, link: LINK.test(link) ? link : '' };
  switch (element.type) {
    case 'TEXT': {
      const text = evaluator.text(`${at}.content`, element.content, page);
      return { ...placed, type: 'TEXT', text, heading: headingOf(style, text, options.headings) };
    }
    case 'LINE':
      return {
        ...placed,
        type: 'LINE',
        width: element.width,
        lineColor: element.lineColor,
        lineWidth: element.lineWidth,
      };
    case 'PAGE_BREAK':
      return { ...placed, type: 'PAGE_BREAK' };
    case 'FRAME':
      return {
        ...placed,
        type: 'FRAME',
        lineColor: element.lineColor,
        lineWidth: element.lineWidth,
        blocks: await blocksOfSome(template, element.elements, keys, width, options),
      };
    case 'IMAGE': {
      const source = evaluator.text(`${at}.source`, element.source, page).trim();
      if (source === '') return undefined;
      const wish = { kind: 'SOURCE', source, width, height } as const;
      return { ...placed, type: 'PICTURE', picture: options.pictureOf(wish, `${at}.source`), alt: altOf(element) };
    }
    case 'BARCODE': {
      const content = evaluator.text(`${at}.content`, element.content, page);
      if (content === '') return undefined;
      const picture = options.pictureOf({ kind: 'BARCODE', content }, `${at}.content`);
      const size = { width: element.width || BARCODE.width, height: height || BARCODE.height };
      return { ...placed, ...size, type: 'PICTURE', picture, alt: `Code 128: ${content}` };
    }
    case 'TABLE': {
      const row = (cells: readonly CellTemplate[], where: string): Row =>
        cells.map((cell, index): Cell => {
          const cellStyle = cell.styleId ? mergedStyle(style, template.styles.get(cell.styleId)) : style;
          const text = evaluator.text(`${at}.${where}[${index}].content`, cell.content, page);
          return { text, colspan: cell.colspan, style: cellStyle };
        });
      const optional = (cells: readonly CellTemplate[], where: string) =>
        cells.length > 0 ? row(cells, where) : undefined;
      const rows: Row[] = [];
      for (const [index, cells] of element.rows.entries()) {
        await options.pause();
        rows.push(row(cells, `rows[${index}]`));
      }
      return {
        ...placed,
        type: 'TABLE',
        columns: element.columns,
        header: optional(element.headerRow, 'headerRow'),
        rows,
        footer: optional(element.footerRow, 'footerRow'),
      };
    }
  }
}

/** Returns what a picture shows: the link that its source names. */
const altOf = ({ source }: Element): string =>
  /\{\{-?\s*([\w]+)\.image/.exec(source)?.[1]?.replaceAll('_', ' ') ?? 'Picture';

function styleOf(template: Template, element: Element, evaluator: Evaluator, page: PageNames | undefined): Style {
  const { at, styleId, style, conditionalStyle: when } = element;
  const isOther = when && evaluator.holds(`${at}.conditionalStyle.condition`, when.condition, page);
  return mergedStyle(template.styles.get(styleId), style, isOther ? template.styles.get(when.styleId) : undefined);
}

/** Pictures that were found, by name: width by height. */
type Ratios = ReadonlyMap<string, number>;

/** Blocks without the pictures that were not found; those without a height get that of their picture. */
export const withPictures = (blocks: readonly Block[], ratios: Ratios): Block[] =>
  blocks.flatMap((block): Block[] => {
    if (block.type === 'FRAME') return [{ ...block, blocks: withPictures(block.blocks, ratios) }];
    if (block.type !== 'PICTURE') return [block];
    const ratio = ratios.get(block.picture);
    if (ratio === undefined) return [];
    return [block.height > 0 ? block : { ...block, height: block.width / ratio }];
  });
