import { emptyReport, type TextReport } from '@catchment/delimited-text';
import { fileNotes, fileReport } from './file-report.ts';

const read = (report: Partial<TextReport>, over: object = {}) => ({
  name: 'a.csv',
  records: 10,
  repeated: 0,
  ...over,
  report: { ...emptyReport(), lines: 10, parsed: 10, ...report },
});

test.each<[string, ReturnType<typeof read>, string[]]>([
  ['nothing is wrong', read({}), []],
  [
    'one line failed',
    read({ parsed: 1, failed: 1, firstFailure: { line: 3, reason: 'there is no time' } }),
    [expect.stringContaining('[1 lines failed, first at line 3: there is no time]')],
  ],
  [
    'lines failed',
    read({ parsed: 8, failed: 2, firstFailure: { line: 3, reason: 'there is no time' } }),
    ['WARNING Parsed 80% of a.csv [2 lines failed, first at line 3: there is no time]'],
  ],
  [
    'fields failed',
    read({ unreadableFields: 1, firstUnreadable: { line: 4, column: 2, reason: "'x' is no number" } }),
    ["WARNING 1 field of a.csv could not be read and was left out, first at line 4, column 2: 'x' is no number"],
  ],
  [
    'rows fall on one time',
    read({}, { repeated: 2 }),
    ['WARNING 2 rows of a.csv have the time of another row of the same series: only the last row of a time is stored'],
  ],
  [
    'bytes are no characters',
    read({ undecodableLines: 1, firstUndecodable: { line: 7, reason: 'has bytes that are no UTF-8' } }),
    [
      'WARNING 1 line of a.csv has bytes that are no characters of its encoding, first at line 7: has bytes that are no UTF-8',
    ],
  ],
  [
    'a clock is ahead',
    read({ aheadLines: 3, firstAhead: { line: 9, column: 1, reason: "'2099-01-01' is ahead" } }),
    [
      "WARNING 3 rows of a.csv are more than a day ahead of the clock of the server, first at line 9, column 1: '2099-01-01' is ahead",
    ],
  ],
  [
    'something was guessed',
    read({ guesses: [{ of: 'DECIMAL_SEPARATOR', text: 'A comma parts decimals.' }] }),
    ['INFO Assumed of a.csv: A comma parts decimals.'],
  ],
  [
    'a text breaks off',
    read({}, { brokenOff: 'line 9: is none' }),
    ['WARNING a.csv could be read up to one place only, and what comes before it is stored: line 9: is none'],
  ],
  ['headers come again: nothing is lost', read({ repeatedHeaders: 2 }), []],
])('%s', (_what, report, notes) => {
  expect(fileNotes([report]).map(({ level, message }) => `${level} ${message}`)).toEqual(notes);
});

test('the report of an archive sums its members, and has the same sentences', () => {
  const members = [
    read({ aheadLines: 1, repeatedHeaders: 1 }, { repeated: 1 }),
    read({ undecodableLines: 2 }, { name: 'b' }),
  ];
  expect(fileReport(members, { series: 3, firstFailure: '' })).toEqual({
    files: 2,
    lines: 20,
    parsed: 20,
    records: 19,
    repeated: 1,
    series: 3,
    unreadableFields: 0,
    firstFailure: '',
    repeatedHeaders: 1,
    undecodableLines: 2,
    aheadLines: 1,
    notes: fileNotes(members).map(({ message }) => message),
  });
});

test('an archive of many members has a bounded number of sentences', () => {
  const notes = fileNotes(Array.from({ length: 80 }, () => read({}, { repeated: 1 })));
  expect([notes.length, notes.at(-1)?.message]).toEqual([51, '30 more such things are not listed']);
});
