import { CHUNK_ORDER, chunkOf } from './chunks.ts';

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  view: ['preact', 'plot', 'numbers', 'tile'],
  console: ['preact', 'frame'],
  frame: ['icon', 'frame'],
  overview: ['table', 'numbers', 'boards', 'icon'],
  alarms: ['table', 'numbers', 'plot', 'series'],
  node: ['table', 'numbers', 'plot', 'series', 'strip'],
  events: ['table', 'numbers'],
  people: ['table', 'numbers'],
  report: ['table', 'numbers'],
  devices: ['table', 'numbers'],
  me: ['table', 'numbers'],
  table: ['virtual'],
  boards: [],
};
const nameOf = chunkOf((id) => IMPORTS[id] ?? [], {
  ...{ view: 'view', console: 'console' },
  pages: Object.fromEntries(
    ['alarms', 'devices', 'events', 'me', 'node', 'overview', 'people', 'report'].map((name) => [name, name]),
  ),
});

test.each([
  ['what the shell imports, however deep', ['frame', 'icon'], 'shell'],
  ['what dashboards of strangers have of it', ['preact'], 'shell-of-all'],
  ['what eight pages have, with what it imports', ['table', 'virtual'], 'pages'],
  ['what dashboards have of that', ['numbers'], 'pages-of-all'],
  ['what fewer pages have', ['series'], 'alarms-node'],
  ['what dashboards have of that too', ['plot'], 'alarms-node-of-all'],
  ['what one page has alone', ['boards', 'strip', 'tile'], undefined],
  ['where a page begins', ['view', 'console', 'overview', 'node'], undefined],
])('%s: %s are in %s', (_what, ids, expected) => {
  expect(ids.map(nameOf)).toEqual(ids.map(() => expected));
});

test('a file is parted off after those that more pages have', () => {
  const rank = (name: string) => CHUNK_ORDER.findIndex((which) => which.test(name));
  const names = ['shell-of-all', 'shell', 'pages-of-all', 'pages', 'alarms-node-of-all', 'alarms-node'];
  expect(names.map(rank)).toEqual([0, 1, 2, 3, 4, 5]);
});
