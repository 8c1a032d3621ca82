import { Pace } from '@catchment/fair-queue';
import { seedOf } from '@catchment/testkit/amount';
import { effectiveZone, UTC_ZONE } from '@catchment/time';
import type { ColumnSettings, Join, ParserSettings } from './layout.ts';
import { openText, type TextOptions } from './open-text.ts';
import { failureText } from './text-report.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

async function* bytesOf(text: string, pieceBytes = 7) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function read(text: string, options: Partial<TextOptions> = {}) {
  const opened = await openText(bytesOf(text), { zone: UTC_ZONE, nowMs: NOW_MS, ...options });
  const rows: unknown[] = [];
  for await (const { timeMs, cells } of opened.records()) {
    const shown = cells.map((cell) => (cell?.quality === undefined ? cell?.value : [cell.value, cell.quality]));
    rows.push([new Date(timeMs).toISOString().slice(0, 16), ...shown]);
  }
  return { ...opened, rows, keys: opened.series.map(({ key, type, units }) => `${key} ${type} ${units}`.trim()) };
}
const withParser = (text: string, settings: ParserSettings) => read(text, { settings });
const refusal = (text: string, options: Partial<TextOptions> = {}) =>
  read(text, options).then(String, (error) => error.message);

const TOA5 = `"TOA5","S","CR1000","1","std","CPU","1","T"
"TIMESTAMP","RECORD","Air_Avg","Note","Max_TMx"
"TS","RN","Deg C","",""
"","","Avg","Smp","TMx"
"2016-08-01 00:00:00",7,4.2,"GT01","2016-08-01 13:00:00"
"2016-08-01 00:10:00",8,"NAN","GT02","2016-08-01 14:00:00.5"
`;

describe('headers that say what a file is', () => {
  test('TOA5: names and units, the counter of records is none of the series', async () => {
    const { layout, keys, rows } = await read(TOA5);
    expect([layout.kind, layout.headerLines]).toEqual(['TOA5', 4]);
    expect(keys).toEqual(['Air_Avg NUMBER Deg C', 'Note TEXT', 'Max_TMx TIME']);
    expect(rows).toEqual([
      ['2016-08-01T00:00', 4.2, 'GT01', { timeMs: Date.parse('2016-08-01T13:00Z') }],
      ['2016-08-01T00:10', undefined, 'GT02', { timeMs: Date.parse('2016-08-01T14:00:00.500Z') }],
    ]);
  });

  test('TOA5 with TAB, days first, and cells that a spreadsheet has added', async () => {
    const text = 'TOA5\tS\t\t\t\nTIMESTAMP\tRECORD\tPAR\t\nTS\tRN\tmV\t\n\t\tAvg\t\n25/09/2011 21:45\t1\t0.5\t\n';
    const { keys, rows } = await read(text);
    expect(keys).toEqual(['PAR NUMBER mV']);
    expect(rows).toEqual([['2011-09-25T21:45', 0.5]]);
  });

  test.each([
    ['ends after its first line', TOA5.split('\n').slice(0, 1), 'line 2: a TOA5 file has the names'],
    [
      'has fewer units than names',
      TOA5.replace(',"Deg C"', '').split('\n'),
      'line 3: a TOA5 file has a unit for each of the 5',
    ],
    ['has no line of processes', TOA5.split('\n').slice(0, 3), 'line 4: a TOA5 file has the process'],
    [
      'names a column twice',
      TOA5.replace('"Note"', '"Air_Avg"').split('\n'),
      'line 2: column 4: there is another column named Air_Avg',
    ],
    ['leaves a column without a name', TOA5.replace('"Note"', '""').split('\n'), 'line 2: column 4: must have a name'],
  ])('a TOA5 file that %s is refused', async (_what, lines, message) => {
    expect(await refusal(lines.join('\n'))).toContain(message);
  });

  test('a line that is wider than the header of TOA5 fails, the others are read', async () => {
    const { rows, report } = await read(`${TOA5}"2016-08-01 00:20:00",9,1,2,3,4\n`);
    expect([rows.length, report.lines, report.failed]).toEqual([2, 3, 1]);
    expect(failureText(report.firstFailure!)).toBe('line 7: has 6 fields where the header has 5');
  });

  test('RDB: comments with quotes, widths, a date beside a time that may be missing', async () => {
    const text =
      '#\t"a comment\n# more\nagency_cd\tsite_no\tdt\ttm\tva\tcd\n5s\t15s\t10d\t6s\t8n\t2s\nUSGS\t1\t2001-06-08\t06:30\t5130\tA\nUSGS\t1\t2002-05-14\t\t2110\n';
    const { layout, keys, rows } = await read(text);
    expect([layout.kind, layout.headerLines]).toEqual(['RDB', 4]);
    expect(keys).toEqual(['va NUMBER', 'cd TEXT']);
    expect(rows).toEqual([
      ['2001-06-08T06:30', 5130, 'A'],
      ['2002-05-14T00:00', 2110, undefined],
    ]);
  });

  test('CSV that Catchment has written', async () => {
    const { layout, keys, rows } = await read(
      '"Id","5"\n"Timestamp","Level"\n"Units","m"\n2014-08-16T02:00:39.000Z,28.21\n',
    );
    expect([layout.kind, keys, rows]).toEqual(['CATCHMENT', ['Level NUMBER m'], [['2014-08-16T02:00', 28.21]]]);
  });
});

describe('a file without settings', () => {
  test.each([
    ['a header', 'time,a,b\n2024-01-01T00:00:00,1,x\n', ['a NUMBER', 'b TEXT'], [['2024-01-01T00:00', 1, 'x']]],
    [
      'no header',
      '2024-01-01 00:00,1\n2024-01-01 00:10,2\n',
      ['Column 2 NUMBER'],
      [
        ['2024-01-01T00:00', 1],
        ['2024-01-01T00:10', 2],
      ],
    ],
    [
      'names and units',
      'time,a\n,mm\n2024-01-01,1\n2024-01-02,2\n',
      ['a NUMBER mm'],
      [
        ['2024-01-01T00:00', 1],
        ['2024-01-02T00:00', 2],
      ],
    ],
    ['semicolons and commas', 'd;t;a\n13/03/2004;18.00.00;2,5\n', ['a NUMBER'], [['2004-03-13T18:00', 2.5]]],
    [
      'months first',
      'a\tdate\n7\t10/25/1999\n8\t10/26/1999\n',
      ['a NUMBER'],
      [
        ['1999-10-25T00:00', 7],
        ['1999-10-26T00:00', 8],
      ],
    ],
    [
      'own offsets',
      't,a\n2020-05-21 14:13:41 [UTC-07:00],1\n2016-07-01 00:00:00-07:00,2\n',
      ['a NUMBER'],
      [
        ['2020-05-21T21:13', 1],
        ['2016-07-01T07:00', 2],
      ],
    ],
    [
      'truths',
      't,a\n2024-01-01,True\n2024-01-02,FALSE\n',
      ['a BOOLEAN'],
      [
        ['2024-01-01T00:00', true],
        ['2024-01-02T00:00', false],
      ],
    ],
  ])('with %s', async (_what, text, keys, rows) => {
    const found = await read(text);
    expect([found.keys, found.rows]).toEqual([keys, rows]);
  });

  test.each([
    ['', 'file: is empty'],
    [' \n\n', 'file: is empty'],
    ['a,b\nc,d\n', 'file: has no column with a timestamp'],
    ['t\n2024-01-01\n', 'file: has no column for a series'],
    ['t,a,a\n2024-01-01,1,2\n', "file: two columns are of the series 'a'"],
    ['t,a\n6/10/2011 0:40,1\n', "column 1: '6/10/2011 0:40' may begin with its day or its month"],
    ['t,a\n2024-01-01,"open\n2024-01-02,1\n', /^line \d+: /],
  ])('%j is refused', async (text, message) => {
    expect(await refusal(text)).toMatch(message);
  });

  test.each([
    [['d:D/M/YYYY H:mm'], 't,a,d\n1,2,6/10/2011 0:40\n', [['2011-10-06T00:40', 1, 2]]],
    [['3:M/D/YYYY H:mm'], '1,2,6/10/2011 0:40\n', [['2011-06-10T00:40', 1, 2]]],
    [['y:YYYY', 'd a:D', 'm:M', 'd:t:H:mm'], 'made by\nm,d a,y,d:t,a\n2,29,2024,7:05,1\n', [['2024-02-29T07:05', 1]]],
  ])('the time is what %j say', async (time, text, rows) => {
    expect((await read(text, { time })).rows).toEqual(rows);
  });

  test.each([
    ['NUMBER', 'wet', "'wet' is no number"],
    ['BOOLEAN', 'wet', "'wet' is no truth value such as TRUE, 0 or OFF"],
    ['TEXT', 'x'.repeat(10_001), /^'x{40}…' has more than 10000 characters, or one that cannot be kept$/],
    ['TEXT', 'a\0b', /^'a\ufffdb' has more than 10000 characters, or one that cannot be kept$/],
    ['TIME', 'noon', "'noon' is no time of the form H:mm"],
    ['COORDINATES', '91', "'91' are no coordinates"],
  ] as const)('a field that is no %s says what it is not', async (type, field, reason) => {
    const joins: Record<string, readonly Join[]> = {
      TIME: [{ field: 'TIME', format: 'H:mm' }],
      COORDINATES: [{ field: 'LATITUDE' }, { field: 'LONGITUDE', column: 2 }],
    };
    const settings: ParserSettings = {
      columns: [
        { index: 0, type: 'RECORD_TIME', joins: [{ field: 'TIME', format: 'D.M.YYYY' }] },
        { index: 1, type, joins: joins[type] ?? [] },
      ],
    };
    const reasons: string[] = [];
    const failed = (failure: { reason: string }) => void reasons.push(failure.reason);
    await read(`1.5.2026,${field},0\nsoon,${field},0\n`, { settings, failed });
    expect(reasons).toEqual([expect.stringMatching(reason), "'soon' is no time of the form D.M.YYYY"]);
  });

  test('a time that cannot be read is a failure of its line, wherever it is', async () => {
    const { rows, report } = await read(
      't,a\n2024-07-03 00:00,3\nlater,4\n2024-07-03 02:00,5\n13/13/2024,6\n2024-07-03 03:00,6\n',
    );
    expect([rows.length, report.failed]).toEqual([3, 2]);
    expect(failureText(report.firstFailure!)).toContain("line 3, column 1: 'later'");
  });

  test('a line whose time is empty says so', async () => {
    const { report } = await read('t,a\n2024-07-03 00:00,3\n,4\n2024-07-03 02:00,5\n');
    expect(failureText(report.firstFailure!)).toBe('line 3, column 1: there is no time');
  });

  test('columns of the time that no line has are refused', async () => {
    expect(await refusal('t,a\n2024-01-01,1\n', { time: ['when'] })).toBe('file: has no line with the columns when');
  });

  test('words for no value may be named', async () => {
    const text = 't,a\n2024-01-01,NA\n2024-01-02,-999\n2024-01-03,3\n';
    expect((await read(text)).report.failed).toBe(1);
    const { rows, report } = await read(text, { noValues: ['na', '-999'] });
    expect(rows.map((row) => (row as unknown[])[1])).toEqual([undefined, undefined, 3]);
    expect([report.parsed, report.failed]).toEqual([3, 0]);
  });
});

describe('settings of a parser (docs/reference/acquisition.md#text-parser)', () => {
  const time = { index: 0, type: 'RECORD_TIME' } as const;

  test('labels and units by their lines, columns by number, keys of their own', async () => {
    const { keys, rows } = await withParser('made by\nt;x;y\n;mm;m\n2024-01-01;1;2\n', {
      delimiter: 'SEMICOLON',
      labelsRow: 2,
      unitsRow: 3,
      columns: [time, { index: 2, type: 'NUMBER' }, { index: 1, type: 'TEXT', series: 'rain' }],
    });
    expect([keys, rows]).toEqual([['y NUMBER m', 'rain TEXT mm'], [['2024-01-01T00:00', 2, '1']]]);
  });

  test('joins: two times in one, texts with a space, a separator, a quality', async () => {
    const { rows } = await withParser('05/12/2013,7:05:09 PM,40.73:-73.93,ab,cd,21.5,192\n', {
      columns: [
        {
          ...time,
          joins: [
            { column: 0, field: 'TIME', format: 'DD/MM/YYYY' },
            { column: 1, field: 'TIME', format: 'H:mm:ss A' },
          ],
        },
        {
          index: 2,
          type: 'COORDINATES',
          joins: [{ field: 'LATITUDE' }, { field: 'SEPARATOR', format: ':' }, { field: 'LONGITUDE' }],
        },
        { index: 3, type: 'TEXT', joins: [{ field: 'TEXT' }, { column: 4, field: 'TEXT' }] },
        { index: 5, type: 'NUMBER', joins: [{ field: 'NUMBER' }, { column: 6, field: 'QUALITY' }] },
      ],
    });
    expect(rows).toEqual([['2013-12-05T19:05', [40.73, -73.93], 'ab cd', [21.5, 192]]]);
  });

  test.each([
    ['INCLUDE_RECORD', 'A', [1, 3]],
    ['EXCLUDE_RECORD', 'A', [2]],
    ['INCLUDE_RECORD', '/^(A|B)$/', [1, 2, 3]],
    ['INCLUDE_FIELD', 'A', [1, undefined, 3]],
    ['EXCLUDE_FIELD', '/a/i', [undefined, 2, undefined]],
    ['INCLUDE_FIELD', '', [1, 2, 3]],
  ] as const)('filter %s of %j', async (filter, format, values) => {
    const { rows, report } = await withParser('2024-01-01,1,A\n2024-01-02,2,B\n2024-01-03,3,A\n', {
      columns: [
        time,
        { index: 1, type: 'NUMBER', joins: [{ field: 'NUMBER' }, { column: 2, field: 'TEXT', format, filter }] },
      ],
    });
    expect(rows.map((row) => (row as unknown[])[1])).toEqual(values);
    expect([report.lines, report.failed]).toEqual([values.length, 0]);
  });

  test('ROW: a value a line, unknown ids are ignored', async () => {
    const { keys, rows } = await withParser('2024-01-01,s1,5\n2024-01-01,s9,6\n2024-01-01,s2,ok\n', {
      format: 'ROW',
      columns: [time, { index: 1, type: 'SERIES_ID' }, { index: 2, type: 'VALUE' }],
      rowSeries: [
        { seriesId: 's1', type: 'NUMBER' },
        { seriesId: 's2', type: 'TEXT' },
      ],
    });
    expect(keys).toEqual(['s1 NUMBER', 's2 TEXT']);
    expect(rows).toEqual([
      ['2024-01-01T00:00', 5, undefined],
      ['2024-01-01T00:00', undefined, undefined],
      ['2024-01-01T00:00', undefined, 'ok'],
    ]);
  });

  test('a line counts when its time and one series can be read; failures are reported by line and column', async () => {
    const { rows, report } = await withParser('2024-01-01,x,1\nlater,1,1\n2024-01-03,,\n2024-01-04,x,y\n', {
      columns: [time, { index: 1, type: 'NUMBER' }, { index: 2, type: 'NUMBER' }],
    });
    expect(rows).toEqual([
      ['2024-01-01T00:00', undefined, 1],
      ['2024-01-03T00:00', undefined, undefined],
    ]);
    expect(report).toMatchObject({ lines: 4, parsed: 2, failed: 2, unreadableFields: 1 });
    expect(failureText(report.firstFailure!)).toBe("line 2, column 1: 'later' is no time such as 2026-05-31 23:59:59");
    expect(failureText(report.firstUnreadable!)).toBe("line 1, column 2: 'x' is no number");
  });

  test('a header that is known is no data of a parser with columns of its own', async () => {
    const columns = [time, { index: 2, type: 'NUMBER' }] as const;
    const { keys, report } = await withParser(TOA5, { columns });
    expect([keys, report.failed]).toEqual([['Air_Avg NUMBER Deg C'], 0]);
  });

  const number = { index: 1, type: 'NUMBER' } as const;
  test.each([
    [{ columns: [number] }, 'parser.columns: exactly one must have the type RECORD_TIME'],
    [{ columns: [time, { index: 1, type: 'VALUE' }] }, 'parser.columns[1].type: VALUE is of the format ROW'],
    [{ columns: [time, { index: 1, type: 'COORDINATES' }] }, 'parser.columns[1].joins: must have a LATITUDE'],
    [
      { columns: [{ ...time, joins: [{ field: 'TIME', format: 'Do' }] }, number] },
      'format: Do cannot be used for parsing',
    ],
    [{ columns: [time, { ...number, joins: [{ field: 'SEPARATOR' }] }] }, 'parser.columns[1].joins[0].format'],
    [
      { columns: [time, { ...number, joins: [{ field: 'TEXT', format: '/(/', filter: 'INCLUDE_FIELD' }] }] },
      'parser.columns[1].joins[0].format',
    ],
    [{ format: 'ROW' }, 'parser.columns: the format ROW needs its columns'],
    [{ format: 'ROW', columns: [time] }, 'parser.columns: exactly one must have the type SERIES_ID'],
  ] as readonly [ParserSettings, string][])('%j is refused', async (settings, message) => {
    expect(await refusal('2024-01-01,1\n', { settings })).toContain(message);
  });
});

test('words and codes that the parser names are no values, in columns of any type', async () => {
  const columns: ColumnSettings[] = [
    { index: 0, type: 'RECORD_TIME' },
    { index: 1, type: 'NUMBER' },
    { index: 2, type: 'TEXT' },
    { index: 3, type: 'TIME' },
  ];
  const text =
    '2024-01-01,ice,Ice,ICE\n2024-01-02,-9999.00,wet,2024-01-01\n2024-01-03,-9999 mm,6999,\n2024-01-04,6999.5,,\n';
  const { rows, report } = await withParser(text, { missing: ['Ice', '-9999', '6999'], columns });
  expect(rows.map((row) => (row as unknown[]).slice(1))).toEqual([
    [undefined, undefined, undefined],
    [undefined, 'wet', { timeMs: Date.parse('2024-01-01') }],
    [undefined, undefined, undefined],
    [6999.5, undefined, undefined],
  ]);
  expect(report).toMatchObject({ failed: 0, unreadableFields: 0 });
});

test('a zone with DST: parts of a local time in columns of their own; an equal time is not the second pass of the repeated hour', async () => {
  const text = 'y,m,d,h,a\n2013,11,3,0,1\n2013,11,3,1,2\n2013,11,3,1,3\n2013,11,3,2,4\n';
  const joins = ['YYYY', 'M', 'D', 'H'].map((format, column) => ({ column, field: 'TIME' as const, format }));
  const settings: ParserSettings = {
    labelsRow: 1,
    columns: [
      { index: 0, type: 'RECORD_TIME', joins },
      { index: 4, type: 'NUMBER' },
    ],
  };
  const { rows } = await read(text, { settings, zone: effectiveZone('America/New_York', true, NOW_MS) });
  expect(rows).toEqual([
    ['2013-11-03T04:00', 1],
    ['2013-11-03T05:00', 2],
    ['2013-11-03T05:00', 3],
    ['2013-11-03T07:00', 4],
  ]);
});

describe('the zone of each line', () => {
  const RDB = (zones: string[]) =>
    [
      '# retrieved: 2023-07-06 10:00:00 EDT',
      'agency_cd\tsite_no\tdatetime\ttz_cd\t1_00060\t1_00060_cd',
      '5s\t15s\t20d\t6s\t14n\t10s',
      ...zones.map((zone, n) => `USGS\t02177000\t2023-07-05 00:45\t${zone}\t${n}\tP`),
    ].join('\n');

  test('tz_cd of a RDB file', async () => {
    const { rows, keys, report } = await read(RDB(['EDT', 'EST', 'CDT', 'AKDT', 'UTC', 'XYZ', '']));
    expect(keys).toEqual(['1_00060 NUMBER', '1_00060_cd TEXT']);
    expect(rows.map((row) => (row as string[])[0])).toEqual([
      '2023-07-05T04:45',
      '2023-07-05T05:45',
      '2023-07-05T05:45',
      '2023-07-05T08:45',
      '2023-07-05T00:45',
    ]);
    expect(report).toMatchObject({ lines: 7, parsed: 5, failed: 2 });
    expect(failureText(report.firstFailure!)).toBe("line 9, column 4: 'XYZ' names no time zone that is known here");
  });

  test('abbreviations are those of the zone of the source, and other ones fail', async () => {
    const zone = effectiveZone('America/New_York', true, NOW_MS);
    const { rows, report } = await read(RDB(['EDT', 'EST', 'CDT', '+02:00']), { zone });
    expect(rows.map((row) => (row as string[])[0])).toEqual([
      '2023-07-05T04:45',
      '2023-07-05T05:45',
      '2023-07-04T22:45',
    ]);
    expect(report.failed).toBe(1);
  });

  test('both passes of the repeated hour are distinguished by it', async () => {
    const hour = ['EDT', 'EST', 'EST', 'EDT'].map((zone, n) => `2024-11-03 01:00,${zone},${n}\n`).join('');
    const { rows } = await read(`t,tz,a\n${hour}`, { zone: effectiveZone('America/New_York', true, NOW_MS) });
    expect(rows.map((row) => (row as string[])[0]?.slice(11))).toEqual(['05:00', '06:00', '06:00', '05:00']);
  });

  test.each([
    ['a column named time zone', 't,Time Zone,a\n2023-07-05 00:45,-04:00,1\n2023-07-05 00:45,UTC+1,2\n'],
    ['a column beside the time', '2023-07-05 00:45,EDT,1\n2023-07-05 00:45,Europe/London,2\n'],
    ['the end of the time', 't,a\n2023-07-05 00:45 EDT,1\n2023-07-05 00:45 UTC+01:00,2\n'],
    ['the end of another form of time', 't;a\n5.7.2023 0:45 EDT;1\n13.7.2023 0:45 UTC+1;2\n'],
  ])('is found in %s', async (_what, text) => {
    const { rows, keys } = await read(text);
    expect(rows.map((row) => (row as string[])[0]?.slice(11))).toEqual(['04:45', '23:45']);
    expect(keys).toHaveLength(1);
  });

  test('a column of words is none', async () => {
    expect((await read('t,note,a\n2023-07-05,wet,1\n')).keys).toEqual(['note TEXT', 'a NUMBER']);
    expect((await read('t,zone,a\n2023-07-05,meadow 1,1\n')).keys).toEqual(['zone TEXT', 'a NUMBER']);
  });

  test('is a join of a parser, by the name of a zone with its daylight saving time; an own offset of the time comes first', async () => {
    const settings: ParserSettings = {
      columns: [
        {
          index: 0,
          type: 'RECORD_TIME',
          joins: [
            { column: 0, field: 'TIME' },
            { column: 1, field: 'TIMEZONE' },
          ],
        },
        { index: 2, type: 'NUMBER' },
      ],
    };
    const times = ['2024-01-05 00:45', '2024-07-05 00:45', '2024-11-03 01:30', '2024-11-03 01:00', '2024-07-05 00:45Z'];
    const { rows } = await withParser(times.map((time, n) => `${time},America/New_York,${n}\n`).join(''), settings);
    expect(rows.map((row) => (row as string[])[0]?.slice(11))).toEqual(['05:45', '04:45', '05:30', '06:00', '00:45']);
    const twice = { ...settings.columns![0]!, joins: [{ field: 'TIMEZONE' }, { field: 'TIMEZONE' }] as Join[] };
    expect(await refusal('2024-01-05,UTC,1\n', { settings: { columns: [twice, settings.columns![1]!] } })).toBe(
      'parser.columns[0].joins: only one may be a TIMEZONE',
    );
  });
});

test('a file goes on within the second pass of the repeated hour, of which it has read more than is given again', async () => {
  const zone = effectiveZone('America/New_York', true, NOW_MS);
  const before = 't,a\n2024-11-03 01:20,1\n2024-11-03 01:21,2\n';
  const more = '2024-11-03 01:40,3\n2024-11-03 02:00,4\n';
  const timesOf = async (until?: string) => {
    const part = { bytes: before.length, lines: 3, ...(until && { untilMs: Date.parse(until) }) };
    return (await read(before + more, { zone, part })).rows.map((row) => (row as string[])[0]?.slice(11));
  };
  expect(await timesOf('2024-11-03T06:21Z')).toEqual(['06:40', '07:00']);
  expect(await timesOf('2024-11-03T05:21Z')).toEqual(['05:40', '07:00']);
  expect(await timesOf('2030-01-01T00:00Z')).toEqual(['05:40', '07:00']);
  expect(await timesOf()).toEqual(['05:40', '07:00']);
});

test('a file that goes on within the second pass knows of which series and loggers it is', async () => {
  const zone = effectiveZone('America/New_York', true, NOW_MS);
  const timesOf = async (header: string, before: readonly string[], more: readonly string[]) => {
    const [head = '', rest = ''] = [[header, ...before], more].map((lines) => `${lines.join('\n')}\n`);
    const part = { bytes: head.length, lines: before.length + 1, untilMs: Date.parse('2024-11-03T06:21Z') };
    return (await read(head + rest, { zone, part })).rows.map((row) => (row as string[])[0]?.slice(11));
  };
  const at = (clock: string, rest: string) => `2024-11-03 ${clock},${rest}`;
  // Series b begins, and series c lags.
  expect(
    await timesOf(
      't,a,b,c',
      [at('01:20', '1,,'), at('01:50', ',,1'), at('01:21', '2,,')],
      [at('01:22', '3,,'), at('01:00', ',1,'), at('01:55', ',,2'), at('01:01', ',2,')],
    ),
  ).toEqual(['06:22', '05:00', '05:55', '05:01']);
  expect(await timesOf('t,station,a', [at('01:20', 'S,1'), at('01:21', 'S,2')], [at('01:40', 'S,3')])).toEqual([
    '06:40',
  ]);
});

describe('series of one file that go different ways within the repeated hour', () => {
  const zone = effectiveZone('America/New_York', true, NOW_MS);
  const HOUR = ['01:00', '01:15', '01:30', '01:45'];
  const TIMES = ['00:30', '00:45', ...HOUR, ...HOUR, '02:00', '02:15'].map((clock) => `2024-11-03 ${clock}`);
  const [oldest, newest] = [TIMES, TIMES.toReversed()];
  const lines = (times: readonly string[], rest: string) => times.map((time) => `${time}${rest}\n`).join('');
  const ROWS: ParserSettings = {
    format: 'ROW',
    columns: [
      { index: 0, type: 'RECORD_TIME' },
      { index: 1, type: 'SERIES_ID' },
      { index: 2, type: 'VALUE' },
    ],
    rowSeries: [
      { seriesId: 'a', type: 'NUMBER' },
      { seriesId: 'b', type: 'NUMBER' },
    ],
  };
  const instants = (header: string, text: string, settings?: ParserSettings) =>
    read(header + text, { zone, ...(settings && { settings }) }).then(({ rows }) => {
      const times = (column: number) =>
        (rows as unknown[][]).flatMap((row) => (row[column] === undefined ? [] : [`${row[0]}`.slice(11)]));
      return [times(1), times(2)];
    });
  const UTC = [
    '04:30',
    '04:45',
    ...HOUR.map((at) => at.replace('01', '05')),
    ...HOUR.map((at) => at.replace('01', '06')),
  ];
  const earlier = [...UTC, '07:00', '07:15'];

  test.each([
    ['lines of series ids', lines(oldest, ',a,1') + lines(newest, ',b,2'), '', ROWS],
    ['columns', lines(oldest, ',1,') + lines(newest, ',,2'), 't,a,b\n', undefined],
    [
      'columns, with a line without values between them',
      `${lines(oldest, ',1,')}${TIMES[3]},,\n${lines(newest, ',,2')}`,
      't,a,b\n',
      undefined,
    ],
  ])('%s', async (_what, text, header, settings) => {
    const [a, b] = await instants(header, text, settings);
    expect(a?.slice(0, earlier.length)).toEqual(earlier);
    expect(b?.slice(-earlier.length)).toEqual(earlier.toReversed());
  });
});

test('a field or a time with U+0000 in it is none, in SMART too', async () => {
  const columns: ColumnSettings[] = [
    { index: 0, type: 'RECORD_TIME', joins: [{ field: 'TIME', format: 'YYYY-MM-DD HH:mm' }] },
    { index: 1, type: 'NUMBER', series: 'n' },
    { index: 2, type: 'BOOLEAN', series: 'b' },
    { index: 3, type: 'TIME', series: 't', joins: [{ field: 'TIME', format: 'YYYY-MM-DD' }] },
    {
      index: 4,
      type: 'COORDINATES',
      series: 'c',
      joins: [{ field: 'LATITUDE' }, { field: 'SEPARATOR', format: ':' }, { field: 'LONGITUDE' }],
    },
    { index: 5, type: 'TEXT', series: 'x' },
  ];
  const damaged = '6\u00005,ON\u0000,2024-01-02\u0000,4\u00000:7,wet';
  const text = `2024-01-01 00:00,${damaged}\n2024-01-01 00:1\u0000,1,1,2024-01-02,1:2,dry\n`;
  const { rows, report } = await withParser(text, { columns, match: 'SMART' });
  expect(rows).toEqual([['2024-01-01T00:00', undefined, undefined, undefined, undefined, 'wet']]);
  expect(report).toMatchObject({ failed: 1, unreadableFields: 4 });
});

test('two loggers in one file, of which one lags, are distinguished by a column of theirs, or by a filter', async () => {
  const zone = effectiveZone('America/New_York', true, NOW_MS);
  const rows = ['A 01:30', 'B 01:00', 'A 01:45', 'B 01:15', 'A 01:00', 'B 01:30', 'A 01:15', 'B 01:10'];
  const lines = rows.map((row, n) => `${row.slice(0, 1)},2024-11-03 ${row.slice(2)},${n}`);
  const text = `station,t,v\n${lines.join('\n')}\n`;
  const instants = ['05:30', '05:00', '05:45', '05:15', '06:00', '05:30', '06:15', '06:10'];
  const timesOf = ({ rows: found }: { rows: unknown[] }) => found.map((row) => `${(row as string[])[0]}`.slice(11));
  expect(timesOf(await read(text, { zone }))).toEqual(instants);
  const filtered = (series: string): ColumnSettings => ({
    index: 2,
    type: 'NUMBER',
    series,
    joins: [{ field: 'NUMBER' }, { column: 0, field: 'TEXT', format: series, filter: 'INCLUDE_FIELD' }],
  });
  const columns: ColumnSettings[] = [{ index: 1, type: 'RECORD_TIME' }, filtered('A'), filtered('B')];
  expect(timesOf(await read(lines.join('\n'), { zone, settings: { columns } }))).toEqual(instants);
});

test('a local time that the zone skips moves forward by the gap; an offset of its own, and Unix time, are taken as they are', async () => {
  const zone = effectiveZone('America/New_York', true, NOW_MS);
  const { rows } = await read(
    't,a\n2013-03-10 01:30,1\n2013-03-10 02:30,2\n2013-03-10 03:45,3\n2013-03-10T02:30+01:00,4\n',
    { zone },
  );
  expect(rows).toEqual([
    ['2013-03-10T06:30', 1],
    ['2013-03-10T07:30', 2],
    ['2013-03-10T07:45', 3],
    ['2013-03-10T01:30', 4],
  ]);
  const columns = [
    { index: 0, type: 'RECORD_TIME', joins: [{ field: 'TIME', format: 'X' }] },
    { index: 1, type: 'NUMBER' },
  ] as const;
  expect((await read('1362897000,1\n', { zone, settings: { columns } })).rows).toEqual([['2013-03-10T06:30', 1]]);
});

test('fixed columns: cells may be empty, and the last one goes to the end of its line', async () => {
  const settings: ParserSettings = {
    columnWidths: [11, 6, 4],
    labelsRow: 1,
    dataRow: 3,
    columns: [
      { index: 0, type: 'RECORD_TIME' },
      { index: 1, type: 'NUMBER' },
      { index: 2, type: 'TEXT' },
    ],
  };
  const text =
    'day        level note\n(made by hand)\n2024-01-01   1.5 "calm", dry\n\n2024-01-02       storm\n2024-01-03  12.5\n';
  const { keys, rows } = await withParser(text, settings);
  expect(keys).toEqual(['level NUMBER', 'note TEXT']);
  expect(rows).toEqual([
    ['2024-01-01T00:00', 1.5, '"calm", dry'],
    ['2024-01-02T00:00', undefined, 'storm'],
    ['2024-01-03T00:00', 12.5, undefined],
  ]);
});

test('whatever the bytes are, a file is read or refused as bad input', async () => {
  const seed = seedOf('TEXT_SEED');
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const words = [
    '"',
    ',',
    ';',
    '\t',
    '\n',
    '\r\n',
    '#',
    '"TOA5",',
    '5s\t3n',
    '2024-01-01',
    ' 10:00',
    '1.5',
    'NAN',
    'x',
    '\u0000',
    'é',
    '"Id",',
    '|',
  ];
  for (let n = 0; n < 300; n += 1) {
    const text = Array.from({ length: random(60) }, () => words[random(words.length)]).join('');
    const outcome = await read(text).catch((error) => error.kind);
    if (typeof outcome === 'string') expect([seed, text, outcome]).toEqual([seed, text, 'invalid_argument']);
    else expect(outcome.report.parsed + outcome.report.failed).toBe(outcome.report.lines);
  }
});

test.each<[what: string, joins: Join[] | undefined, least: number]>([
  ['each line', undefined, 20],
  ['each field that an expression is looked for in', [{ field: 'TEXT', format: '/x/', filter: 'INCLUDE_FIELD' }], 60],
])('all others have their turn after %s, once lines have been read long enough', async (_what, joins, least) => {
  const text = `time,a,b,c\n${Array.from({ length: 20 }, (_, n) => `2024-01-${n + 10},x,x,x\n`).join('')}`;
  const columns = [1, 2, 3].map((index): ColumnSettings => ({ index, type: 'TEXT', ...(joins && { joins }) }));
  const settings: ParserSettings = { columns: [{ index: 0, type: 'RECORD_TIME' }, ...columns] };
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const paced = await read(text, { settings, pace: new Pace({ sliceMs: 0 }) });
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(least);
  expect(paced.rows).toEqual((await withParser(text, settings)).rows);
  expect(paced.report.parsed).toBe(20);
});
