import { attributesOf, type Given } from '../chart-node.ts';

/**
 * A report's template (docs/reference/dashboards-and-reports.md#report) is stored like this: checked, with defaults. Lengths are points.
 */
export type Template = {
  readonly page: PageSize;
  readonly margins: Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>;
  readonly header: Band;
  readonly footer: Band;
  readonly styles: ReadonlyMap<string, Partial<Style>>;
  readonly elements: readonly Element[];
};

export type PageSize = { readonly width: number; readonly height: number };

type Band = { readonly enabled: boolean; readonly size: number; readonly display: 'ALWAYS' | 'NOT_FIRST_PAGE' };

const AREAS = ['CONTENT', 'HEADER', 'FOOTER'] as const;
export type Area = (typeof AREAS)[number];

const ELEMENT_TYPES = ['TEXT', 'LINE', 'FRAME', 'PAGE_BREAK', 'IMAGE', 'BARCODE', 'TABLE'] as const;

export type Element = {
  /** The place in the template, for messages. */
  readonly at: string;
  readonly type: (typeof ELEMENT_TYPES)[number];
  readonly area: Area;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly styleId: string;
  readonly style: Partial<Style>;
  readonly conditionalStyle?: { readonly condition: string; readonly styleId: string };
  readonly keepTogether: boolean;
  readonly link: string;
  readonly printIf: string;
  readonly content: string;
  readonly lineColor: string;
  readonly lineWidth: number;
  readonly source: string;
  readonly columns: readonly number[];
  readonly headerRow: readonly CellTemplate[];
  readonly rows: readonly (readonly CellTemplate[])[];
  readonly footerRow: readonly CellTemplate[];
  readonly elements: readonly Element[];
};

export type CellTemplate = { readonly content: string; readonly colspan: number; readonly styleId: string };

export type Style = {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strikethrough: boolean;
  readonly alignment: 'LEFT' | 'CENTER' | 'RIGHT' | 'JUSTIFY';
  readonly verticalAlignment: 'TOP' | 'MIDDLE' | 'BOTTOM';
  readonly color: string;
  /** Empty = none. */
  readonly background: string;
  readonly font: 'Helvetica' | 'Courier' | 'Times';
  readonly fontSize: number;
  readonly lineSpacing: number;
  readonly borderSides: readonly string[];
  readonly borderColor: string;
  readonly borderWidth: number;
  readonly padding: number;
};

export const DEFAULT_STYLE: Style = {
  bold: false,
  italic: false,
  underline: false,
  strikethrough: false,
  alignment: 'LEFT',
  verticalAlignment: 'TOP',
  color: '#000000',
  background: '',
  font: 'Helvetica',
  fontSize: 12,
  lineSpacing: 1,
  borderSides: [],
  borderColor: '#000000',
  borderWidth: 1,
  padding: 0,
};

/** Portrait, in points. */
const PAGE_FORMATS: Readonly<Record<string, PageSize | undefined>> = {
  A3: { width: 842, height: 1191 },
  A4: { width: 595, height: 842 },
  A5: { width: 420, height: 595 },
  LETTER: { width: 612, height: 792 },
};

/** Reads a template as nodes stores it; what another version has written otherwise has its default. */
export function readTemplate(given: Given): Template {
  const read = attributesOf(given);
  const margins = attributesOf(read.object('margins'));
  const side = (name: string) => margins.number(name, 0);
  return {
    page: pageSizeOf(given),
    margins: { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') },
    header: readBand(read.object('header')),
    footer: readBand(read.object('footer')),
    styles: new Map(read.objects('styles').map((style) => [String(style._id), readStyle(style)])),
    elements: read.objects('elements').map((element, index) => readElement(element, `elements[${index}]`)),
  };
}

function pageSizeOf(given: Given): PageSize {
  const read = attributesOf(given);
  const standard = PAGE_FORMATS[read.text('pageFormat', 'A4')];
  const upright = standard ?? { width: read.number('width', 595), height: read.number('height', 842) };
  return read.text('orientation') === 'LANDSCAPE' ? { width: upright.height, height: upright.width } : upright;
}

function readBand(given: Given): Band {
  const read = attributesOf(given);
  return {
    enabled: read.flag('enabled', true),
    size: read.number('size', 80),
    display: read.choice('display', ['ALWAYS', 'NOT_FIRST_PAGE']),
  };
}

function readElement(given: Given, at: string): Element {
  const read = attributesOf(given);
  const conditional = read.object('conditionalStyle');
  const row = (cells: unknown): CellTemplate[] => (Array.isArray(cells) ? cells : []).map(readCell);
  return {
    at,
    type: read.choice('type', ELEMENT_TYPES),
    area: read.choice('area', AREAS),
    x: read.number('x', 0),
    y: read.number('y', 0),
    width: read.number('width', 0),
    height: read.number('height', 0),
    styleId: read.text('styleId'),
    style: readStyle(read.object('style')),
    ...(typeof conditional.condition === 'string' && {
      conditionalStyle: { condition: conditional.condition, styleId: String(conditional.styleId) },
    }),
    keepTogether: read.flag('keepTogether', false),
    link: read.text('link'),
    printIf: read.text('printIf'),
    content: read.text('content'),
    lineColor: colourOf(read.text('lineColor')) ?? '#000000',
    lineWidth: read.number('lineWidth', 1),
    source: read.text('source'),
    columns: read.objects('columns').map((column) => attributesOf(column).number('width', 100)),
    headerRow: row(given.headerRow),
    rows: (Array.isArray(given.rows) ? given.rows : []).map(row),
    footerRow: row(given.footerRow),
    elements: read.objects('elements').map((element, index) => readElement(element, `${at}.elements[${index}]`)),
  };
}

function readCell(given: unknown): CellTemplate {
  const read = attributesOf((given ?? {}) as Given);
  return { content: read.text('content'), colspan: read.number('colspan', 1), styleId: read.text('styleId') };
}

/** Reads only what is given: styles are laid over each other. */
function readStyle(given: Given): Partial<Style> {
  const { _id, ...style } = given;
  return {
    ...(style as Partial<Style>),
    ...('color' in style && { color: colourOf(style.color) ?? '#000000' }),
    ...('background' in style && { background: colourOf(style.background) ?? '' }),
    ...('borderColor' in style && { borderColor: colourOf(style.borderColor) ?? '#000000' }),
  };
}

const colourOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^#[0-9a-f]{3,8}$/i.test(value) ? value : undefined;

/** Lays styles over each other, the last one on top. */
export const mergedStyle = (...styles: readonly (Partial<Style> | undefined)[]): Style =>
  Object.assign({ ...DEFAULT_STYLE }, ...styles) as Style;
