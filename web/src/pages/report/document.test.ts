import type { Block, Paper } from '../../data/pages/reports.ts';
import { changesBetween } from '../../ui/form/draft.ts';
import {
  blockKey,
  blocksOf,
  bodyOf,
  documentOf,
  findBlock,
  geometryOf,
  linkName,
  newBlock,
  outerOf,
  placeAt,
  within,
} from './document.ts';

const band = { enabled: true, size: 80, display: 'ALWAYS' };
const paper: Paper = {
  pageFormat: 'A4',
  orientation: 'PORTRAIT',
  margins: { top: 10, right: 20, bottom: 30, left: 40 },
  header: band,
  footer: { ...band, enabled: false },
  styles: [],
};
const block = (id: string, more: Partial<Block> = {}): Block => ({
  _id: id,
  type: 'TEXT',
  area: 'CONTENT',
  x: 0,
  y: 0,
  width: 0,
  height: 0,
  ...more,
});
const inner = block('c');
const frame = block('b', { type: 'FRAME', elements: [inner] });
const report = documentOf({ name: 'Levels', template: { ...paper, elements: [block('a'), frame] } });

test('blocks keep the order of the template, and a new one comes last', () => {
  const next = { ...report, [blockKey('a')]: block('a', { y: 500 }), [blockKey('d')]: block('d') };
  expect(blocksOf(next).map(({ _id }) => _id)).toEqual(['a', 'b', 'd']);
});

test('a name alone is saved alone; a block is saved with the whole template', () => {
  const named = { ...report, name: 'Flows' };
  expect(bodyOf(changesBetween(report, named), named)).toEqual({ name: 'Flows' });
  const without = { ...report, [blockKey('a')]: null };
  expect(bodyOf(changesBetween(report, without), without)).toEqual({ template: { ...paper, elements: [frame] } });
});

test('a refusal is at its block, within a frame too', () => {
  const blocks = blocksOf(report);
  expect(placeAt('template.elements[0].content', blocks)).toEqual({ block: block('a'), path: 'content' });
  expect(placeAt('template.elements[1].elements[0].printIf', blocks)).toEqual({ block: inner, path: 'printIf' });
  expect(placeAt('template.elements[9].content', blocks)).toBeUndefined();
  expect(placeAt('schedule.days', blocks)).toBeUndefined();
});

test('a block within a frame is changed within it', () => {
  const blocks = blocksOf(report);
  expect(findBlock('c', blocks)).toBe(inner);
  expect(outerOf('c', blocks)).toBe(frame);
  expect(within(frame, 'c', { ...inner, x: 5 })).toEqual({ ...frame, elements: [{ ...inner, x: 5 }] });
  expect(within(frame, 'c', null)).toEqual({ ...frame, elements: [] });
  expect(within(frame, 'b', null)).toBeNull();
});

test('areas begin at the margins, the content below the header', () => {
  const { page, areas } = geometryOf(paper);
  expect(page).toEqual({ width: 595, height: 842 });
  expect(areas).toEqual({
    HEADER: { x: 40, y: 10, width: 535, height: 80 },
    CONTENT: { x: 40, y: 90, width: 535, height: 722 },
    FOOTER: undefined,
  });
  expect(geometryOf({ ...paper, orientation: 'LANDSCAPE' }).page).toEqual({ width: 842, height: 595 });
});

test.each([
  ['Gage height', [], 'Gage_height'],
  ['site.jpg', [], 'sitejpg'],
  ['Pegel Süd', [], 'Pegel_Sd'],
  ['水位', [], 'link'],
  ['Level', ['Level', 'Level2'], 'Level3'],
])('the node %s is called by a name that expressions can have', (name, taken, expected) =>
  expect(linkName(name, taken)).toBe(expected),
);

test('a new block stands below the others', () => {
  const first = newBlock('TEXT', [], 'Level', 595);
  expect(first).toMatchObject({ y: 0, content: 'Level: {{ Level.currentValueFormatted }}' });
  expect(newBlock('LINE', [{ ...first, height: 42 }], undefined, 595).y).toBe(55);
});
