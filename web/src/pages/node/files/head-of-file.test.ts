import { rowsOf, textOf } from './head-of-file.ts';

const bytes = (...codes: number[]) => Uint8Array.from(codes);

test.each([
  ['UTF-8 with a character that is cut off', bytes(0xc3, 0xbc, 0x20, 0xc3), 'ü '],
  ['windows-1252', bytes(0x54, 0x20, 0xb0, 0x43), 'T °C'],
  ['UTF-16 with a mark', bytes(0xff, 0xfe, 0x54, 0x00), 'T'],
])('a text is read as it was written: %s', (_what, given, text) => {
  expect(textOf(given)).toBe(text);
});

test.each([
  [
    'commas',
    'time,level\n1,2\n3,4\n',
    [
      ['time', 'level'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  [
    'semicolons with decimal commas',
    'time;level\n1;2,5\n3;4,5\n',
    [
      ['time', 'level'],
      ['1', '2,5'],
      ['3', '4,5'],
    ],
  ],
  [
    'quotes around a delimiter',
    'a,b\n"1,5",2\n3,4\n5,6\n',
    [
      ['a', 'b'],
      ['1,5', '2'],
      ['3', '4'],
      ['5', '6'],
    ],
  ],
  ['a last line that ends early', 'a\tb\n1\t2\n3\t4\n5', [['a', 'b'], ['1', '2'], ['3', '4'], ['5']]],
])('the head of a table is parted by %s', (_what, text, rows) => {
  expect(rowsOf(text)).toEqual(rows);
});

test.each([
  ['prose', 'The weir was cleaned, as usual.\nNobody was there.\nIt rained.\n'],
  ['nothing', ''],
])('%s is no table', (_what, text) => {
  expect(rowsOf(text)).toBeUndefined();
});
