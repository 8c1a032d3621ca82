import { CHUNK_ORDER, chunkOf } from './chunks.ts';

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  view: ['preact', 'plot', 'numbers', 'tile', 'card'],
  console: ['preact', 'frame'],
  frame: ['icon', 'frame', 'begun'],
  overview: ['table', 'numbers', 'boards', 'icon', 'card', 'values', 'place'],
  alarms: ['table', 'numbers', 'plot', 'series', 'values'],
  node: ['table', 'numbers', 'plot', 'series', 'strip'],
  events: ['table', 'numbers'],
  people: ['table', 'numbers', 'form'],
  report: ['table', 'numbers', 'form', 'values'],
  devices: ['table', 'numbers', 'card', 'place'],
  me: ['table', 'numbers'],
  table: ['virtual'],
  en: ['plural'],
  de: ['plural'],
  boards: [],
};
const nameOf = chunkOf((id) => IMPORTS[id] ?? [], {
  view: 'view',
  console: 'console',
  first: 'begun',
  words: ['en', 'de'],
  pages: Object.fromEntries(
    ['alarms', 'devices', 'events', 'me', 'node', 'overview', 'people', 'report'].map((name) => [name, name]),
  ),
});

test.each([
  ['what the shell imports, however deep', ['frame', 'icon'], 'shell'],
  ['what languages share', ['plural'], 'shell'],
  ['what dashboards of strangers have of it', ['preact'], 'shell-of-all'],
  ['what eight pages have, with what it imports', ['table', 'virtual'], 'pages'],
  [
    'what dashboards have of that, and what one of the first pages and another one have',
    ['numbers', 'card'],
    'pages-of-all',
  ],
  ['what several of the first pages and another one have', ['values'], 'pages'],
  ['what one of the first pages and another one have', ['place'], 'with-overview'],
  ['what the first pages alone share', ['series'], 'alarms-node'],
  ['what dashboards have of that too', ['plot'], 'alarms-node-of-all'],
  ['what other pages share', ['form'], 'people-report'],
  ['what one page has alone', ['boards'], 'of-overview'],
  ['what no page has', ['tile'], undefined],
  ['what runs before all else', ['begun'], 'first'],
  ['where a page begins', ['view', 'console', 'overview', 'node'], undefined],
])('%s: %s are in %s', (_what, ids, expected) => {
  expect(ids.map(nameOf)).toEqual(ids.map(() => expected));
});

test('a file is parted off after those that more pages have', () => {
  const rank = (name: string) => CHUNK_ORDER.findIndex((which) => which.test(name));
  const names = [
    'first',
    'shell-of-all',
    'shell',
    'pages-of-all',
    'pages',
    'with-node',
    'alarms-node-of-all',
    'alarms-node',
  ];
  expect([...names, 'of-node'].map(rank)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});
