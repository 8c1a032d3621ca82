import type { Block, FrameBlock, TableBlock, TextBlock } from './block.ts';
import { type Fragment, MAX_PAGES, type Measures, paginate } from './paginate.ts';
import { DEFAULT_STYLE } from './template.ts';

const HEIGHTS = { first: 100, other: 100 };
const LINE = 10;

let key = 0;
const common = (y: number, height: number, more: object = {}) => ({
  key: ++key,
  x: 0,
  y,
  width: 100,
  height,
  keepTogether: false,
  link: '',
  style: DEFAULT_STYLE,
  ...more,
});

/** The measures are part of the blocks here. */
type Measured<T> = T & { readonly lines?: number; readonly rowHeights?: readonly number[] };

const text = (y: number, lines: number, more: object = {}): Measured<TextBlock> => ({
  ...common(y, 0, more),
  type: 'TEXT',
  text: '',
  heading: 0,
  lines,
});
const table = (y: number, rows: readonly number[], more: Partial<TableBlock> = {}): Measured<TableBlock> => {
  const parts = { header: undefined, footer: undefined, ...more };
  const own = [...(parts.header ? [LINE] : []), ...rows, ...(parts.footer ? [LINE] : [])];
  return { ...common(y, 0), type: 'TABLE', columns: [100], rows: rows.map(() => []), ...parts, rowHeights: own };
};
const picture = (y: number, height: number, more: object = {}): Block => ({
  ...common(y, height, more),
  type: 'PICTURE',
  picture: 'p',
  alt: '',
});
const pageBreak = (y: number): Block => ({ ...common(y, 0), type: 'PAGE_BREAK' });
const frame = (y: number, height: number, blocks: readonly Block[]): FrameBlock => ({
  ...common(y, height),
  // The key is smaller than those of what is in the frame, as in a template.
  key: -++key,
  type: 'FRAME',
  lineColor: '#000000',
  lineWidth: 1,
  blocks,
});

const all = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => (block.type === 'FRAME' ? [block, ...all(block.blocks)] : [block]));

function measuresOf(blocks: readonly Block[]): Measures {
  const every = all(blocks) as readonly Measured<Block>[];
  return {
    texts: new Map(
      every.map(({ key, lines = 0 }) => [
        key,
        Array.from({ length: lines }, (_, index) => ({ paragraph: 0, start: index, height: LINE })),
      ]),
    ),
    tables: new Map(every.map(({ key, rowHeights = [] }) => [key, rowHeights])),
  };
}

const brief = ({ block, y, height, lines, rows }: Fragment) =>
  [
    `${block.type} ${y}+${height}`,
    ...(lines && (lines.from > 0 || lines.to > 0) && block.type === 'TEXT' ? [`${lines.from}-${lines.to}`] : []),
    ...(rows ? [`${rows.from}-${rows.to}${rows.withFooter ? ' end' : ''}`] : []),
  ].join(' ');

const laidOut = (blocks: readonly Block[], heights = HEIGHTS) =>
  paginate(blocks, measuresOf(blocks), heights).pages.map((page) => page.map(brief));

test.each<[string, () => readonly Block[], string[][]]>([
  ['nothing is one empty page', () => [], [[]]],
  [
    'what fits stays where the template has it',
    () => [picture(5, 20), picture(60, 40)],
    [['PICTURE 5+20', 'PICTURE 60+40']],
  ],
  [
    'a text that grows pushes what is below it by as much',
    () => [text(0, 3), picture(15, 10)],
    [['TEXT 0+30 0-3', 'PICTURE 45+10']],
  ],
  [
    'what stands beside it stays',
    () => [text(0, 3), text(0, 1, { x: 50 }), picture(0, 10, { x: 80 })],
    [['TEXT 0+30 0-3', 'TEXT 0+10 0-1', 'PICTURE 0+10']],
  ],
  [
    'the lowest of two columns decides what is below both',
    () => [text(0, 2), text(0, 5, { x: 50 }), picture(10, 10)],
    [['TEXT 0+20 0-2', 'TEXT 0+50 0-5', 'PICTURE 60+10']],
  ],
  ['what overlaps by design overlaps', () => [picture(0, 80), picture(20, 10)], [['PICTURE 0+80', 'PICTURE 20+10']]],
  ['a picture that does not fit goes to the next page', () => [picture(70, 50)], [[], ['PICTURE 0+50']]],
  [
    'and what is below it follows at its distance',
    () => [picture(70, 50), picture(130, 10)],
    [[], ['PICTURE 0+50', 'PICTURE 60+10']],
  ],
  ['what is higher than a page is cut off', () => [picture(0, 150)], [['PICTURE 0+100']]],
  ['a place beyond the page is on a later one', () => [picture(230, 10)], [[], [], ['PICTURE 30+10']]],
  ['a text is split at the ends of lines', () => [text(50, 12)], [['TEXT 50+50 0-5'], ['TEXT 0+70 5-12']]],
  [
    'a text longer than pages fills them',
    () => [text(0, 25)],
    [['TEXT 0+100 0-10'], ['TEXT 0+100 10-20'], ['TEXT 0+50 20-25']],
  ],
  ['no line stands alone at the end of a page', () => [text(90, 6)], [[], ['TEXT 0+60 0-6']]],
  ['nor at its beginning', () => [text(50, 6)], [['TEXT 50+40 0-4'], ['TEXT 0+20 4-6']]],
  ['a text that is kept together is not split', () => [text(50, 8, { keepTogether: true })], [[], ['TEXT 0+80 0-8']]],
  [
    'unless no page has room for it',
    () => [text(50, 12, { keepTogether: true })],
    [['TEXT 50+50 0-5'], ['TEXT 0+70 5-12']],
  ],
  ['a table is split between rows', () => [table(60, [15, 15, 15, 15])], [['TABLE 60+30 0-2'], ['TABLE 0+30 2-4']]],
  [
    'its header is repeated, its footer comes last',
    () => [table(50, [15, 15, 15, 15, 15, 15, 15, 15], { header: [], footer: [] })],
    [['TABLE 50+40 0-2'], ['TABLE 0+100 2-8'], ['TABLE 0+20 8-8 end']],
  ],
  ['a header does not stand alone', () => [table(80, [15], { header: [] })], [[], ['TABLE 0+25 0-1']]],
  [
    'a row that is higher than a page is cut off',
    () => [table(0, [150, 10])],
    [['TABLE 0+100 0-1'], ['TABLE 0+10 1-2']],
  ],
  ['a table without rows has its header', () => [table(0, [], { header: [] })], [['TABLE 0+10 0-0']]],
  [
    'a break forces a new page',
    () => [picture(0, 10), pageBreak(20), picture(30, 10)],
    [['PICTURE 0+10'], ['PICTURE 10+10']],
  ],
  [
    'two breaks leave a page empty',
    () => [picture(0, 10), pageBreak(20), pageBreak(20), picture(20, 10)],
    [['PICTURE 0+10'], [], ['PICTURE 0+10']],
  ],
  [
    'a break where a page has just begun leaves none empty',
    () => [picture(0, 100), pageBreak(100), picture(100, 10)],
    [['PICTURE 0+100'], ['PICTURE 0+10']],
  ],
  [
    'a frame grows with what is in it, and pushes what is below',
    () => [frame(10, 20, [text(5, 4)]), picture(35, 10)],
    [['FRAME 10+45', 'TEXT 15+40 0-4', 'PICTURE 60+10']],
  ],
  ['a frame stays on one page', () => [frame(70, 50, [picture(10, 10)])], [[], ['FRAME 0+50', 'PICTURE 10+10']]],
  [
    'a frame higher than a page goes on on the next',
    () => [frame(50, 20, [text(0, 12), picture(5, 10)])],
    [
      ['FRAME 50+50', 'TEXT 50+50 0-5'],
      ['FRAME 0+85', 'TEXT 0+70 5-12', 'PICTURE 75+10'],
    ],
  ],
])('%s', (_what, blocks, expected) => expect(laidOut(blocks())).toEqual(expected));

test('the first page may have another height', () => {
  expect(laidOut([text(0, 22)], { first: 50, other: 100 })).toEqual([
    ['TEXT 0+50 0-5'],
    ['TEXT 0+100 5-15'],
    ['TEXT 0+70 15-22'],
  ]);
});

test('a block is known by the page on which it begins', () => {
  const blocks = [text(50, 12), pageBreak(60), picture(60, 10)];
  const { pageOf } = paginate(blocks, measuresOf(blocks), HEIGHTS);
  expect(blocks.map((block) => pageOf.get(block.key))).toEqual([0, 1, 2]);
});

test.each([
  ['a text', () => [text(0, 10 * MAX_PAGES + 1)]],
  ['breaks', () => Array.from({ length: MAX_PAGES }, (_, index) => pageBreak(index / 1000))],
  ['places', () => [picture(100 * MAX_PAGES, 1)]],
])('more pages than are allowed are refused: %s', (_what, blocks) => {
  expect(() => laidOut(blocks())).toThrow(expect.objectContaining({ kind: 'too_large' }));
});
