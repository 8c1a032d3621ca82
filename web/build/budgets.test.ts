import { BUDGETS, type Manifest, weightReport, weightsOf } from './budgets.ts';

const MANIFEST: Manifest = {
  'src/main.tsx': { file: 'main.js', imports: ['_view.js'] },
  'src/app/console.tsx': {
    file: 'console.js',
    imports: ['_view.js'],
    dynamicImports: ['src/pages/overview/index.tsx'],
  },
  '_view.js': { file: 'view.js' },
  '_table.js': { file: 'table.js', imports: ['_view.js'] },
  '_map.js': { file: 'map.js' },
  'src/words/en.ts': { file: 'en.js' },
  'src/words/de.ts': { file: 'de.js', imports: ['_view.js'] },
  'src/pages/overview/index.tsx': {
    file: 'overview.js',
    imports: ['_table.js', '_view.js'],
    dynamicImports: ['_map.js'],
  },
  'src/pages/events/index.tsx': {
    file: 'events.js',
    imports: ['_table.js'],
    dynamicImports: ['src/ui/code/editor.ts'],
  },
  'src/ui/code/editor.ts': { file: 'editor.js', imports: ['_view.js'] },
};
const SIZES: Readonly<Record<string, number>> = {
  'console.js': 100,
  'view.js': 20,
  'table.js': 7,
  'map.js': 5_000,
  'en.js': 3,
  'de.js': 4,
  'overview.js': 50,
  'events.js': 1,
  'editor.js': 90,
  'main.js': 900,
};
const weigh = (sizes: Readonly<Record<string, number>> = SIZES) => weightsOf(MANIFEST, (file) => sizes[file] ?? 0);

test('the shell counts with its heaviest language; a page with what it imports at once, without what the shell has', () => {
  expect(weigh().map(({ name, bytes }) => [name, bytes])).toEqual([
    ['shell', 124],
    ['page overview', 57],
    ['page events', 8],
    ['code editor', 90],
  ]);
  expect(weightReport(weigh()).tooHeavy).toEqual([]);
});

test.each([
  ['the shell', { 'view.js': BUDGETS.shell }, ['shell']],
  ['the editor', { 'editor.js': BUDGETS.editor + 1 }, ['code editor']],
  ['one page', { 'overview.js': BUDGETS.page + 1 }, ['page overview']],
  ['all pages by what they share', { 'table.js': BUDGETS.page + 1 }, ['page overview', 'page events']],
])('what is too heavy is named: %s', (_what, change, expected) => {
  const { tooHeavy } = weightReport(weigh({ ...SIZES, ...change }));
  expect(tooHeavy.map((line) => line.split(/ {2,}/)[0])).toEqual(expected);
});
