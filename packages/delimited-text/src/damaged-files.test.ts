import { UTC_ZONE } from '@catchment/time';
import { proposeParser } from './detection/propose-parser.ts';
import type { ParserSettings, SeriesType } from './records/layout.ts';
import { openText } from './records/open-text.ts';
import { failureText } from './records/text-report.ts';

const NOW_MS = Date.parse('2024-06-01T00:00:00Z');
async function* once(bytes: Uint8Array) {
  yield bytes;
}
async function read(text: string | Uint8Array, settings?: ParserSettings) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const opened = await openText(once(bytes), { zone: UTC_ZONE, nowMs: NOW_MS, ...(settings && { settings }) });
  const values: unknown[][] = [];
  for await (const { cells } of opened.records()) values.push(cells.map((cell) => cell?.value));
  return { ...opened, values };
}
const lines = (...all: string[]) => `${all.join('\n')}\n`;
const row = (n: number, rest: string) => `2024-01-01 00:0${n},${rest}`;
const reasonOf = (bytes: string | Uint8Array, settings?: ParserSettings) =>
  read(bytes, settings).then(String, (error: Error) => error.message);

test('a header that comes again in the middle is skipped and counted', async () => {
  const { values, report } = await read(lines('t,a', row(0, '1'), row(1, '2'), 't,a', row(2, '3')));
  expect([values.flat(), report.lines, report.failed, report.repeatedHeaders]).toEqual([[1, 2, 3], 3, 0, 1]);
});

test('so are all lines of one', async () => {
  const header = [
    '"TOA5","S","CR1","1","std","C","1","T"',
    '"TIMESTAMP","RECORD","a"',
    '"TS","RN","mm"',
    '"","","Avg"',
  ];
  const data = (n: number) => `"2024-01-01 00:0${n}:00",${n},${n}`;
  const { values, report } = await read(lines(...header, data(0), data(1), ...header, data(2)));
  expect([values.flat(), report.failed, report.repeatedHeaders]).toEqual([[0, 1, 2], 0, 4]);
});

test.each([
  ['of other columns', 'time,b,a'],
  ['of more columns', 'time,c,a,b'],
])('rows of a second table %s are no values of the first one', async (_what, header) => {
  const text = lines('time,a,b', row(0, '1,2'), row(1, '1,2'), '', header, row(2, '7,8'), row(3, '7,8'));
  const { values, report } = await read(text);
  expect([values, report.lines, report.failed]).toEqual([
    [
      [1, 2],
      [1, 2],
    ],
    5,
    3,
  ]);
  expect(failureText(report.firstFailure!)).toBe(
    'line 5: begins another table: its names are those of other columns; send each table in a file of its own',
  );
});

test('a second table with further columns behind the same ones goes on', async () => {
  const { values, report } = await read(lines('time,a', row(0, '1'), row(1, '2'), 'time,a,b', row(2, '3,4')));
  expect([values.map(([a]) => a), report.failed, report.repeatedHeaders]).toEqual([[1, 2, 3], 0, 1]);
});

test('a line that is no header fails alone', async () => {
  const { values, report } = await read(lines('time,a', row(0, '1'), 'logger,restarted', row(1, '2')));
  expect([values.flat(), report.failed, report.repeatedHeaders]).toEqual([[1, 2], 1, 0]);
});

test('what programs write behind the data is none', async () => {
  const { values, report } = await read(lines('time,a', row(0, '1'), row(1, '2'), 'END OF DATA FILE OF DATALOGGER,'));
  expect([values.flat(), report.lines, report.failed]).toEqual([[1, 2], 2, 0]);
});

test('a last line that ends before all of its fields is reported, and nothing of it is kept', async () => {
  const whole = [row(0, '1,2'), row(1, '1,2'), row(2, '1,2'), row(3, '1,2')];
  const { values, report } = await read(`time,a,b\n${whole.join('\n')}\n${row(4, '1')}`);
  expect([values.length, report.failed]).toEqual([4, 1]);
  expect(failureText(report.firstFailure!)).toBe('line 6: the file ends within this line');
  expect((await read(`time,a,b\n${whole.join('\n')}`)).values).toHaveLength(4);
  expect((await read(lines('time,a,b', ...whole, row(4, '1')))).report.failed).toBe(0);
});

describe('a text qualifier that is never closed', () => {
  const parser = (...types: SeriesType[]): ParserSettings => ({
    labelsRow: 1,
    columns: [{ index: 0, type: 'RECORD_TIME' }, ...types.map((type, n) => ({ index: n + 1, type }))],
  });

  test('is the fault of its field alone', async () => {
    const { values, report } = await read(
      lines('time,a,b', row(0, '1,x'), row(1, '2,"open'), row(2, '3,"y, z"'), row(3, '4,x')),
      parser('NUMBER', 'TEXT'),
    );
    expect(values).toEqual([
      [1, 'x'],
      [2, undefined],
      [3, 'y, z'],
      [4, 'x'],
    ]);
    expect([report.failed, report.unreadableFields]).toEqual([0, 1]);
    expect(failureText(report.firstUnreadable!)).toBe(
      `line 3, column 3: '"open' opens a text qualifier that is never closed`,
    );
  });

  test('costs its line where nothing else of it can be read', async () => {
    const { values, report } = await read(lines('time,a', row(0, '1'), row(1, '"open'), row(2, '3')), parser('NUMBER'));
    expect([values.flat(), report.failed]).toEqual([[1, 3], 1]);
  });

  test('is looked for as far as a row may be long', async () => {
    const many = Array.from({ length: 120 }, (_, n) => `2024-01-01 00:00:00,${n},"open`);
    expect((await read(lines('t,a,b', ...many), parser('NUMBER', 'TEXT'))).report).toMatchObject({
      parsed: 120,
      unreadableFields: 120,
    });
    const far = `${lines('time,a,b', row(0, '1,"open'))}${lines(row(1, '2,x')).repeat(60_000)}`;
    const { report } = await read(far, parser('NUMBER', 'TEXT'));
    expect([report.parsed, report.unreadableFields]).toEqual([60_001, 1]);
  });

  test('a field that goes over lines is one', async () => {
    const text = 'time,a,b\r\n2024-01-01 00:00,1,"two\r\nlines, ""quoted"""\r\n2024-01-01 00:01,2,x\r\n';
    expect((await read(text)).values).toEqual([
      [1, 'two\r\nlines, "quoted"'],
      [2, 'x'],
    ]);
  });
});

test('lines ahead of the clock are read and counted', async () => {
  const { values, report } = await read(lines('time,a', row(0, '1'), '2099-01-01 00:00,2', '2024-06-01 12:00,3'));
  expect([values.flat(), report.parsed, report.aheadLines]).toEqual([[1, 2, 3], 3, 1]);
  expect(failureText(report.firstAhead!)).toBe(
    "line 3, column 1: '2099-01-01 00:00' is more than a day ahead of the clock",
  );
});

test('cells with formulas fail, and the others of their lines are read', async () => {
  const { values, report } = await read(
    lines('time,a,b', row(0, '1,1'), row(1, '=1+1,2'), row(2, '#DIV/0!,3'), row(3, '4,4')),
    {
      labelsRow: 1,
      columns: [{ index: 0, type: 'RECORD_TIME' }, ...[1, 2].map((index) => ({ index, type: 'NUMBER' as const }))],
    },
  );
  expect(values).toEqual([
    [1, 1],
    [undefined, 2],
    [undefined, 3],
    [4, 4],
  ]);
  expect(report.unreadableFields).toBe(2);
});

describe('bytes that are no characters of the encoding', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const columns: ParserSettings['columns'] = [
    { index: 0, type: 'RECORD_TIME' },
    { index: 1, type: 'NUMBER' },
    { index: 2, type: 'TEXT' },
  ];

  test('are reported by line and column, and kept nowhere', async () => {
    const text = latin1(lines('time,T °C,note', row(0, '1.5 °C,fine'), row(1, '2,größer'), row(2, '3,ok')));
    const { values, report, series } = await read(text, { labelsRow: 1, encoding: 'UTF-8', columns });
    expect(values).toEqual([
      [1.5, 'fine'],
      [2, undefined],
      [3, 'ok'],
    ]);
    expect(series.map(({ key }) => key)).toEqual(['Column 2', 'note']);
    expect([report.undecodableLines, report.unreadableFields]).toEqual([3, 1]);
    expect(failureText(report.firstUnreadable!)).toBe(
      "line 3, column 3: 'gr??er' has bytes that are no UTF-8; set parser.encoding to that of the file",
    );
    expect(failureText(report.firstUndecodable!)).toContain('line 1, column 2: ');
    expect(JSON.stringify({ report, series, values })).not.toContain('\ufffd');
  });

  test('without a setting the file is taken for windows-1252, which is reported, and proposed', async () => {
    const text = latin1(lines('time,T (°C),note', row(0, '1.5,größer'), row(1, '2,ok')));
    const { values, report, series } = await read(text);
    expect([values, series[0]]).toEqual([
      [
        [1.5, 'größer'],
        [2, 'ok'],
      ],
      { key: 'T (°C)', type: 'NUMBER', units: '°C' },
    ]);
    expect(report.guesses).toEqual([
      {
        of: 'ENCODING',
        text: 'The text is no UTF-8: it is taken for windows-1252. Set parser.encoding where it is another.',
      },
    ]);
    const { parser, why } = await proposeParser(once(text));
    expect(parser.encoding).toBe('windows-1252');
    expect(why).toContain('it is taken for windows-1252');
  });

  test('UTF-16 without a mark is found, and proposed', async () => {
    const text = Buffer.from(lines('time,T (°C)', row(0, '1.5'), row(1, '2')), 'utf16le');
    expect((await read(text)).values.flat()).toEqual([1.5, 2]);
    expect((await proposeParser(once(text))).parser.encoding).toBe('UTF-16LE');
  });

  test('a mark of byte order in the middle is no character of a field', async () => {
    const { values, report } = await read(lines('time,a', row(0, '1'), `\ufeff${row(1, '2')}`, row(2, '\ufeff3')));
    expect([values.flat(), report.failed]).toEqual([[1, 2, 3], 0]);
  });
});

describe('what is no table', () => {
  test.each([
    ['XLE', '<?xml version="1.0"?>\n<Body_xle>\n<Data/>\n</Body_xle>', 'XLE, the XML of Solinst loggers'],
    ['XML', '<data>\n<row a="1"/>\n</data>', 'XML; export'],
    [
      'WaterML',
      '<?xml version="1.0"?><ns1:timeSeriesResponse xmlns:ns1="http://www.cuahsi.org/waterML/1.1/"/>',
      'WaterML',
    ],
    ['a page', '<!DOCTYPE html>\n<html><body>Login, please</body></html>', 'a page in HTML'],
    ['JSON', '[{"time": "2024-01-01", "level": 1}]', 'JSON'],
    ['a workbook', Buffer.from('504b030414000600', 'hex'), 'a ZIP archive or an Excel workbook'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an old Excel workbook'],
    ['gzip', Buffer.from('1f8b0800', 'hex'), 'a gzip archive'],
    ['a picture', Buffer.from('ffd8ffe000104a46', 'hex'), 'a JPEG picture'],
    ['a PDF', '%PDF-1.7\n', 'a PDF'],
    ['a table of bytes', Buffer.from([...Buffer.from('"TOB1","S"\r\n'), 1, 2, 3]), 'a binary table of Campbell'],
    ['other bytes', Buffer.from(Array.from({ length: 2000 }, (_, n) => (n * 7919) % 251)), 'binary data'],
  ])('says that it looks like %s', async (_what, content, name) => {
    const said = expect.stringContaining(`file: no table of text: this looks like ${name}`);
    const bytes = Buffer.from(content);
    expect(await reasonOf(bytes)).toEqual(said);
    expect(await proposeParser(once(bytes)).catch(({ message }) => message)).toEqual(said);
  });

  test('a text that is no table is none of them', async () => {
    expect(await reasonOf('a,b\nc,d\n')).toBe(
      'file: has no column with a timestamp in a form that is known; name its columns',
    );
  });
});

test('a line without an end is refused by its length, and a few megabytes of it are enough', async () => {
  let given = 0;
  async function* endless() {
    for (; given < 100 * 1024 * 1024; given += 65_536) yield Buffer.alloc(65_536, '2024-01-01,1.5,');
  }
  const message = /^(?:line 1: (?:longer than 1048576 characters|has more than 10000 fields)|file: )/;
  await expect(openText(endless(), { zone: UTC_ZONE, nowMs: NOW_MS })).rejects.toThrow(message);
  expect(given).toBeLessThan(8 * 1024 * 1024);
});

test('a line without an end takes no row before it', async () => {
  const rows = Array.from({ length: 9 }, (_, n) => row(n, String(n)));
  const text = Buffer.from(`${lines('t,a', ...rows)}2024-01-02 00:00,${'1'.repeat(2 * 1024 * 1024)}`);
  const opened = await openText(pieces(text, 65_536), { zone: UTC_ZONE, nowMs: NOW_MS, settings: COLUMNS });
  const values: unknown[] = [];
  const read = async () => {
    for await (const { cells } of opened.records()) values.push(cells[0]?.value);
  };
  await expect(read()).rejects.toThrow('line 11: longer than 1048576 characters');
  expect(values).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

const COLUMNS: ParserSettings = {
  dataRow: 2,
  columns: [
    { index: 0, type: 'RECORD_TIME' },
    { index: 1, type: 'NUMBER', series: 'a' },
  ],
};
async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
