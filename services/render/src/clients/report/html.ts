import { type Block, type Cell, rowsOf, type TableBlock } from '../../domain/report/block.ts';
import type { ReportDocument } from '../../domain/report/document.ts';
import type { Fragment, Line, Measures } from '../../domain/report/paginate.ts';
import type { Style } from '../../domain/report/template.ts';
import { FALLBACK_FAMILIES } from './chromium/report-fonts.ts';

/** These fonts have the metrics of those that templates name; scripts that they lack come from the other packaged fonts. */
const FAMILIES: Readonly<Record<Style['font'], string>> = {
  Helvetica: 'Arimo',
  Courier: 'Cousine',
  Times: 'Tinos',
};
/** A line of these fonts has this height, by their size. */
const LINE_HEIGHT = 1.15;

/** The page fetches nothing, and runs nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src 'none'; form-action 'none'; base-uri 'none'";

const SHEET = `
* { box-sizing: border-box; margin: 0; padding: 0; font: inherit; }
html, body { background: #fff; }
.b { position: absolute; display: flex; flex-direction: column; overflow: hidden; }
.t { display: block; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; text-decoration: inherit; flex: none; width: 100%; }
.p { display: block; min-height: 1lh; }
.c { text-align-last: justify; }
a { color: inherit; text-decoration: inherit; display: block; }
.l { position: absolute; }
img, svg { position: absolute; display: block; }
img { object-fit: contain; }
table { border-collapse: collapse; table-layout: fixed; }
td, th { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; overflow: hidden; }
`;

/** Writes the document, a section for each page. */
export function documentHtml({ title, language, page, pages, measures, pictures }: ReportDocument): string {
  const { width, height } = page;
  const styles = new StyleSheet();
  const sections = pages.map(({ areas }) => {
    const inner = areas.map((area) => {
      const place = `left:${area.x}pt;top:${area.y}pt;width:${area.width}pt;height:${area.height}pt`;
      const content = area.fragments.map((fragment) => fragmentHtml(fragment, measures, styles)).join('');
      const [open, close] = area.role === 'content' ? ['div', 'div'] : [`div role="none"`, 'div'];
      return `<${open} class="a" style="${place}">${content}</${close}>`;
    });
    return `<section>${inner.join('')}</section>`;
  });
  const sheet = `@page{size:${width}pt ${height}pt;margin:0}
section{position:relative;width:${width}pt;height:${height}pt;overflow:hidden;break-after:page;break-inside:avoid}
section:last-child{break-after:auto}
.a{position:absolute}
${[...pictures].map(([name, url]) => `.${name}{content:url("${url}")}`).join('\n')}`;
  return page1(title, language, sheet + styles.text, sections.join('\n'));
}

/** Everything whose size depends on fonts, one below the other, as wide as it will be printed. */
export function measuredHtml(blocks: readonly Block[]): string {
  const styles = new StyleSheet();
  const parts = flat(blocks).flatMap((block) => {
    if (block.type === 'TEXT') {
      const box = `width:${block.width}pt`;
      return [
        `<div class="b ${styles.name(boxStyle(block.style))}" style="${box};position:relative"><div class="t" data-text="${block.key}">${paragraphsHtml(block.text)}</div></div>`,
      ];
    }
    if (block.type === 'TABLE')
      return [
        `<div data-table="${block.key}">${tableHtml(
          block,
          rowsOf(block).map((row) => ({ row })),
          styles,
        )}</div>`,
      ];
    return [];
  });
  return page1('', 'en', styles.text, parts.join('\n'));
}

/** Returns blocks with those in their frames. */
const flat = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => (block.type === 'FRAME' ? [block, ...flat(block.blocks)] : [block]));

const page1 = (title: string, language: string, sheet: string, body: string): string =>
  `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>${escapeHtml(title)}</title><style>${SHEET}${sheet}</style></head><body>${body}</body></html>`;

/** Styles are few and used often: each is written once. */
class StyleSheet {
  readonly #names = new Map<string, string>();

  name(declarations: string): string {
    return this.#names.getOrInsertComputed(declarations, () => `s${this.#names.size}`);
  }

  get text(): string {
    return [...this.#names].map(([declarations, name]) => `.${name}{${declarations}}`).join('\n');
  }
}

const FILLING = 'left:0;top:0;width:100%;height:100%';

function fragmentHtml(fragment: Fragment, measures: Measures, styles: StyleSheet): string {
  const { block, x, y, height } = fragment;
  const place = `left:${pt(x)};top:${pt(y)};width:${pt(block.width)};height:${pt(height)}`;
  const opened = block.link === '' ? '' : `<a href="${escapeHtml(block.link)}"`;
  const linked = (html: string) => (opened === '' ? html : `${opened}>${html}</a>`);
  // The link has the place of the box, which fills it.
  const boxed = (html: (place: string) => string) =>
    opened === '' ? html(place) : `${opened} class="l" style="${place}">${html(FILLING)}</a>`;
  switch (block.type) {
    case 'TEXT': {
      const lines = measures.texts.get(block.key) ?? [];
      const { from, to } = fragment.lines ?? { from: 0, to: lines.length };
      const text = partOf(block.text, lines, from, to);
      const isCut = block.style.alignment === 'JUSTIFY' && lines[to]?.paragraph === lines[to - 1]?.paragraph;
      const tag = from === 0 && block.heading > 0 ? `h${block.heading}` : 'p';
      return `<div class="b ${styles.name(boxStyle(block.style))}" style="${place}"><${tag} class="t">${linked(paragraphsHtml(text, isCut))}</${tag}></div>`;
    }
    case 'TABLE': {
      const { from, to, withFooter } = fragment.rows ?? { from: 0, to: block.rows.length, withFooter: true };
      const heights = measures.tables.get(block.key) ?? [];
      const first = block.header ? 1 : 0;
      const shown = [
        ...(block.header ? [{ row: block.header, height: heights[0] }] : []),
        ...block.rows.slice(from, to).map((row, index) => ({ row, height: heights[first + from + index] })),
        ...(withFooter && block.footer ? [{ row: block.footer, height: heights.at(-1) }] : []),
      ];
      return `<div class="b" style="left:${pt(x)};top:${pt(y)};height:${pt(height + 1)}">${linked(tableHtml(block, shown, styles))}</div>`;
    }
    case 'PICTURE':
      return boxed((at) => `<img class="${block.picture}" style="${at}" alt="${escapeHtml(block.alt)}">`);
    case 'LINE':
      return lineHtml(x, y, block);
    case 'FRAME': {
      const border = block.lineWidth > 0 ? `border:${pt(block.lineWidth)} solid ${block.lineColor};` : '';
      return boxed((at) => `<div class="b" style="${at};${border}${backgroundOf(block.style)}"></div>`);
    }
    case 'PAGE_BREAK':
      return '';
  }
}

function lineHtml(
  x: number,
  y: number,
  { width, height, lineWidth, lineColor }: Extract<Block, { type: 'LINE' }>,
): string {
  const half = lineWidth / 2;
  const [w, h] = [width + lineWidth, height + lineWidth];
  return `<svg aria-hidden="true" style="left:${pt(x - half)};top:${pt(y - half)};width:${pt(w)};height:${pt(h)}" overflow="visible"><line x1="${pt(half)}" y1="${pt(half)}" x2="${pt(half + width)}" y2="${pt(half + height)}" stroke="${lineColor}" stroke-width="${pt(lineWidth)}"/></svg>`;
}

/** Returns the characters of some lines; paragraphs are divided by line feeds. */
function partOf(text: string, lines: readonly Line[], from: number, to: number): string {
  if (from === 0 && to >= lines.length) return text;
  const paragraphs = text.split('\n');
  const [first, last] = [lines[from], lines[to]];
  if (!first) return '';
  const end = last ?? { paragraph: paragraphs.length, start: 0 };
  return paragraphs
    .slice(first.paragraph, end.paragraph + (end.start > 0 ? 1 : 0))
    .map((paragraph, index, all) => {
      const start = index === 0 ? first.start : 0;
      const isLast = index === all.length - 1 && end.start > 0;
      return paragraph.slice(start, isLast ? end.start : undefined);
    })
    .join('\n');
}

/** @param isCut the last paragraph goes on elsewhere */
const paragraphsHtml = (text: string, isCut = false): string =>
  text
    .split('\n')
    .map((paragraph, index, all) => {
      const more = isCut && index === all.length - 1 ? ' c' : '';
      return `<span class="p${more}" dir="auto">${escapeHtml(paragraph)}</span>`;
    })
    .join('');

type ShownRow = { readonly row: readonly Cell[]; readonly height?: number | undefined };

function tableHtml(block: TableBlock, rows: readonly ShownRow[], styles: StyleSheet): string {
  const width = block.columns.reduce((sum, column) => sum + column, 0);
  const columns = block.columns.map((column) => `<col style="width:${pt(column)}">`).join('');
  const rowHtml = ({ row, height }: ShownRow, isHeader: boolean) => {
    const cells = row.map(({ text, colspan, style }) => {
      const name = styles.name(`${boxStyle(style)};vertical-align:${style.verticalAlignment.toLowerCase()}`);
      const span = colspan > 1 ? ` colspan="${colspan}"` : '';
      const tag = isHeader ? 'th scope="col"' : 'td';
      return `<${tag} class="${name}"${span} dir="auto">${escapeHtml(text)}</${isHeader ? 'th' : 'td'}>`;
    });
    return `<tr${height === undefined ? '' : ` style="height:${pt(height)}"`}>${cells.join('')}</tr>`;
  };
  const body = rows.filter(({ row }) => row !== block.header);
  const head = rows.filter(({ row }) => row === block.header);
  const headHtml = head.length > 0 ? `<thead>${head.map((row) => rowHtml(row, true)).join('')}</thead>` : '';
  return `<table style="width:${pt(width)}"><colgroup>${columns}</colgroup>${headHtml}<tbody>${body.map((row) => rowHtml(row, false)).join('')}</tbody></table>`;
}

function boxStyle(style: Style): string {
  const { font, fontSize, lineSpacing, alignment, verticalAlignment, padding, borderWidth, borderColor } = style;
  const decorations = [...(style.underline ? ['underline'] : []), ...(style.strikethrough ? ['line-through'] : [])];
  return [
    `font-family:${FAMILIES[font] ?? FAMILIES.Helvetica},${FALLBACK_FAMILIES}`,
    `font-size:${pt(fontSize)}`,
    `line-height:${pt(fontSize * lineSpacing * LINE_HEIGHT)}`,
    `color:${style.color}`,
    `text-align:${alignment.toLowerCase()}`,
    `justify-content:${{ TOP: 'flex-start', MIDDLE: 'center', BOTTOM: 'flex-end' }[verticalAlignment]}`,
    ...(style.bold ? ['font-weight:700'] : []),
    ...(style.italic ? ['font-style:italic'] : []),
    ...(decorations.length > 0 ? [`text-decoration:${decorations.join(' ')}`] : []),
    ...(padding > 0 ? [`padding:${pt(padding)}`] : []),
    ...style.borderSides.map((side) => `border-${side.toLowerCase()}:${pt(borderWidth)} solid ${borderColor}`),
    ...(style.background === '' ? [] : [backgroundOf(style)]),
  ].join(';');
}

const backgroundOf = ({ background }: Style): string => (background === '' ? '' : `background:${background}`);

const pt = (value: number): string => `${Math.round(value * 1000) / 1000}pt`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
