import { parse } from 'csv-parse/sync';
import { ROW_CHARACTERS_MAX, type Row, type RowSettings, readRows } from './rows.ts';

async function rowsOf(text: string, settings: Partial<RowSettings> = {}, pieceLength = 3): Promise<Row[]> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
  }
  const rows: Row[] = [];
  for await (const row of readRows(pieces(), { delimiter: ',', textQualifier: '"', ...settings })) rows.push(row);
  return rows;
}
const fieldsOf = async (text: string, settings?: Partial<RowSettings>) =>
  (await rowsOf(text, settings)).map(({ fields }) => fields);

test.each([
  [
    'LF',
    'a,b\nc,d\n',
    {},
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'CRLF',
    'a,b\r\nc,d',
    {},
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'CR',
    'a,b\rc,d\r',
    {},
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['blank lines', '\n  \na,b\n\n\nc\n', {}, [['a', 'b'], ['c']]],
  ['different widths', 'a\nb,c,d\n,\n', {}, [['a'], ['b', 'c', 'd'], ['', '']]],
  ['delimiters and line breaks inside', '"a,\n""b""",c\n', {}, [['a,\n"b"', 'c']]],
  ['a qualifier in the middle is text', 'a"b,5" pipe\n', {}, [['a"b', '5" pipe']]],
  ['no qualifier', '"a,b"\n', { textQualifier: '' }, [['"a', 'b"']]],
  ['another qualifier', "'a,b',c\n", { textQualifier: "'" }, [['a,b', 'c']]],
  ['TAB', 'a\t\tb\n', { delimiter: 'TAB' }, [['a', '', 'b']]],
  ['SPACE', '  a   b \n', { delimiter: 'SPACE' }, [['a', 'b']]],
  ['SEMICOLON', 'a;1,5\n', { delimiter: 'SEMICOLON' }, [['a', '1,5']]],
  ['PIPE', 'a|b\n', { delimiter: 'PIPE' }, [['a', 'b']]],
  ['several characters', 'a<->b\n', { delimiter: '<->' }, [['a', 'b']]],
  ['nothing', '', {}, []],
])('%s', async (_what, text, settings, expected) => {
  expect(await fieldsOf(text, settings)).toEqual(expected);
});

test('rows know their lines', async () => {
  expect((await rowsOf('h\n\na,1\nb,2')).map(({ line }) => line)).toEqual([1, 3, 4]);
});

test.each([
  [{ delimiter: '' }, 'delimiter: must be'],
  [{ delimiter: '123456' }, 'delimiter: must be'],
  [{ delimiter: '\n' }, 'delimiter: must be'],
  [{ textQualifier: '""' }, 'textQualifier: must be'],
  [{ textQualifier: ',' }, 'textQualifier: must be'],
])('refuses %p', async (settings, message) => {
  await expect(rowsOf('a,b', settings)).rejects.toThrow(message);
});

test('refuses a qualifier that is never closed, naming the line', async () => {
  await expect(rowsOf('a,b\n"c,d\n')).rejects.toThrow(/^line \d+: /);
});

test('refuses a line without end before it is held whole', async () => {
  let pieces = 0;
  async function* endless() {
    for (;;) {
      pieces++;
      yield 'x'.repeat(65_536);
    }
  }
  const rows = readRows(endless(), { delimiter: ',', textQualifier: '"' });
  await expect(rows.next()).rejects.toThrow('longer than');
  expect(pieces * 65_536).toBeLessThan(4 * ROW_CHARACTERS_MAX);
});

test.each([
  ['delimiters', ',', ','],
  ['empty fields between qualifiers', '"",', ','],
  ['empty fields after one with a line break', '"",', ',', '"a\nb",'],
  ['blanks between signs', 'a ', 'SPACE'],
])('a row of %s without an end is refused before it is held', async (_what, piece, delimiter, begin = '') => {
  let characters = 0;
  async function* endless() {
    yield begin;
    for (;;) {
      characters += piece.length * 16_384;
      yield piece.repeat(16_384);
    }
  }
  const rows = readRows(endless(), { delimiter, textQualifier: '"' });
  await expect(rows.next()).rejects.toThrow(
    /^line \d+: (?:longer than 1048576 characters|has more than 10000 fields)$/,
  );
  expect(characters).toBeLessThan(4 * ROW_CHARACTERS_MAX);
});

test.each([
  ['delimited', ',', ''],
  ['with a qualifier', ',', '"x",'],
  ['with a carriage return', ',', 'a\rb,'],
])('a row has at most as many fields as the limit says: %s', async (_what, delimiter, begin) => {
  const wide = (fields: number) => `${begin}${','.repeat(fields - 1)}\n`;
  expect((await rowsOf(`${wide(9_000)}`, { delimiter }, 65_536)).length).toBeGreaterThan(0);
  await expect(rowsOf(wide(12_000), { delimiter }, 65_536)).rejects.toThrow(/has more than 10000 fields$/);
});

test('a failure of the text is passed on', async () => {
  async function* broken() {
    yield 'a,b\n';
    throw new Error('disk');
  }
  const read = async () => {
    for await (const _row of readRows(broken(), { delimiter: ',', textQualifier: '"' }));
  };
  await expect(read()).rejects.toThrow('disk');
});

test('rows are those of csv-parse, whatever the text', async () => {
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const tokens = ['a', '1.5', ',', ',', '"', '""', '"b"', '"c,d"', ' ', '\n', '\r\n', '\n', '\r', '\n"e"\n'];
  for (let n = 0; n < 2_000; n += 1) {
    const text = Array.from({ length: random(14) }, () => tokens[random(tokens.length)]).join('');
    let expected: Row[] | undefined;
    try {
      const records = parse(text, {
        delimiter: ',',
        quote: '"',
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_quotes: true,
        info: true,
        relax_column_count: true,
        skip_empty_lines: true,
      }) as unknown as { record: string[]; info: { lines: number } }[];
      expected = records
        .map(({ record: fields, info: { lines: line } }) => ({ line, fields }))
        .filter(({ fields }) => fields.length > 1 || fields.some((field) => field.trim() !== ''));
    } catch {
      expected = undefined;
    }
    expect([text, await rowsOf(text, {}, 1 + random(9)).catch(() => undefined)]).toEqual([text, expected]);
  }
});
