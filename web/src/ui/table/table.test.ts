import { type Column, filtered, leastWidth, nextSort, shownOf, sorted } from './columns.ts';
import { all, NOTHING, pick, without } from './selection.ts';
import { csvOf, tsvOf } from './texts.ts';

type Row = { readonly name: string; readonly level: number | null };
const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', text: ({ name }) => name, width: '1fr', isFixed: true },
  { id: 'level', title: 'Level', text: ({ level }) => String(level ?? ''), value: ({ level }) => level, width: '1fr' },
  { id: 'raw', title: 'Raw', text: () => '', width: '1fr', isExtra: true },
];
const ROWS: readonly Row[] = [
  { name: 'Gauge 10', level: 3 },
  { name: 'gauge 9', level: null },
  { name: 'Ähre', level: 20 },
];
const names = (rows: readonly Row[]) => rows.map(({ name }) => name);

test.each([
  ['as they come', undefined, ['Gauge 10', 'gauge 9', 'Ähre']],
  ['as people order texts', { id: 'name', isDescending: false }, ['Ähre', 'gauge 9', 'Gauge 10']],
  ['downwards', { id: 'name', isDescending: true }, ['Gauge 10', 'gauge 9', 'Ähre']],
  ['by numbers, none last', { id: 'level', isDescending: false }, ['Gauge 10', 'Ähre', 'gauge 9']],
  ['by numbers downwards, none last', { id: 'level', isDescending: true }, ['Ähre', 'Gauge 10', 'gauge 9']],
  ['by a column that is not there', { id: 'gone', isDescending: false }, ['Gauge 10', 'gauge 9', 'Ähre']],
])('rows are sorted %s', (_what, sort, expected) => {
  expect(names(sorted(ROWS, COLUMNS, sort, 'de'))).toEqual(expected);
});

test.each([
  ['nothing', '  ', ['Gauge 10', 'gauge 9', 'Ähre']],
  ['a word in whichever case', 'GAUGE', ['Gauge 10', 'gauge 9']],
  ['each word, of different columns', '3 gau', ['Gauge 10']],
  ['marks of patterns as they are', '.*', []],
])('rows are filtered by %s', (_what, text, expected) => {
  expect(names(filtered(ROWS, COLUMNS, text))).toEqual(expected);
});

test('a column that distinguishes rows cannot be hidden, and an extra one is shown when it is chosen', () => {
  const ids = (choice: Record<string, boolean>) => shownOf(COLUMNS, choice).map(({ id }) => id);
  expect([ids({}), ids({ name: false, level: false, raw: true })]).toEqual([
    ['name', 'level'],
    ['name', 'raw'],
  ]);
});

test('a column is sorted upwards, downwards, and as the rows come', () => {
  const up = nextSort({ id: 'other', isDescending: true }, 'name');
  const down = nextSort(up, 'name');
  expect([up, down, nextSort(down, 'name')]).toEqual([
    { id: 'name', isDescending: false },
    { id: 'name', isDescending: true },
    undefined,
  ]);
});

const ORDER = ['a', 'b', 'c', 'd'];
test('Shift chooses from the row that was chosen last, upwards too, and keeps what was chosen before', () => {
  const single = pick(NOTHING, ORDER, 'c', false);
  const range = pick(single, ORDER, 'a', true);
  expect([...range.keys].sort()).toEqual(['a', 'b', 'c']);
  expect([...pick(range, ORDER, 'b', false).keys].sort()).toEqual(['a', 'c']);
  // A choice without an anchor is one like any other.
  expect([...pick(NOTHING, ORDER, 'd', true).keys]).toEqual(['d']);
  expect([...pick({ keys: new Set(), anchor: 'gone' }, ORDER, 'd', true).keys]).toEqual(['d']);
});

test('rows that are gone are not chosen any more', () => {
  const chosen = all(ORDER);
  expect(without(chosen, () => true)).toBe(chosen);
  const left = without(chosen, (key) => key > 'b');
  expect([[...left.keys], left.anchor]).toEqual([['c', 'd'], undefined]);
});

test('a copy has a line for each row, whatever stands in its cells', () => {
  expect(tsvOf(COLUMNS.slice(0, 2), [{ name: 'a\tb\nc', level: 1 }])).toBe('Name\tLevel\na b c\t1');
});

test.each([
  ['a comma and quotes', 'a,"b"', '"a,""b"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['what a spreadsheet would run', '=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['a negative number', '-1.5', '-1.5'],
  ['markup', '<b>', '<b>'],
])('CSV has %s', (_what, name, expected) => {
  expect(csvOf(COLUMNS.slice(0, 1), [{ name, level: null }])).toBe(`Name\r\n${expected}\r\n`);
});

test('a table is as wide as the least of its columns, and what is between them', () => {
  expect(leastWidth(['2.5rem', 'minmax(9rem, 2fr)', '8rem'])).toBe(22.5);
  expect(leastWidth(['1fr'])).toBe(1.5);
});
