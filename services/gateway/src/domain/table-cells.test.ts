import { tableCells } from './table-cells.ts';

test.each([
  ['nothing', '', []],
  ['one row', '2024-01-01T00:00:00.000Z\t1.5\t"wet"\n', [['2024-01-01T00:00:00.000Z', '1.5', 'wet']]],
  [
    'empty cells',
    'a\t\t\nb\t\t""\n',
    [
      ['a', '', ''],
      ['b', '', ''],
    ],
  ],
  [
    'texts with tabs, line ends and quotation marks',
    'a\t"x\ty"\t"l1\nl2"\t"say ""hi"""\n',
    [['a', 'x\ty', 'l1\nl2', 'say "hi"']],
  ],
  ['a text without a line end', 'a\t1', [['a', '1']]],
  ['a quotation mark within a number', 'a\t5"\n', [['a', '5"']]],
  ['characters beyond the plane', 'a\t"🌊"\n', [['a', '🌊']]],
] as [string, string, string[][]][])('%s', (_what, text, rows) => {
  expect(tableCells(text)).toEqual(rows);
});

test('a large table is read in linear time', () => {
  const row = `2024-01-01T00:00:00.000Z\t"${'"'.repeat(2_000)}"\t${'1'.repeat(2_000)}\n`;
  expect(tableCells(row.repeat(500))).toHaveLength(500);
});
