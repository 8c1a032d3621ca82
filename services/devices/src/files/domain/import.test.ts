import { listedImport, readImportFields } from './import.ts';

test('a form without fields is read by defaults', () => {
  expect(readImportFields({})).toEqual({
    source: { writeMode: 'MERGE_OVERWRITE_EXISTING' },
    settings: { format: 'AUTO', notifyOn: 'ALL_NEWER' },
    parser: undefined,
  });
});

test('choices are read whatever their case, other fields as they are', () => {
  const fields = {
    writeMode: 'insert_fail_on_existing',
    notifyOn: ' none ',
    timezone: 'australia/perth',
    timezoneAdjustForDst: 'true',
    series: 'level',
    columnIndex: '0',
    parser: '{"a":1}',
  };
  expect(readImportFields(fields)).toEqual({
    source: { writeMode: 'INSERT_FAIL_ON_EXISTING', timezone: 'Australia/Perth', timezoneAdjustForDst: true },
    settings: { format: 'AUTO', notifyOn: 'NONE', series: 'level', columnIndex: 0 },
    parser: { a: 1 },
  });
});

test.each([
  ['colour', 'red', /^colour: must be one of writeMode, /],
  ['writeMode', 'OVERWRITE', /^writeMode: must be one of /],
  ['timezone', 'Moon/Sea', /^timezone: must be an IANA time zone name/],
  ['timezoneAdjustForDst', 'perhaps', /^timezoneAdjustForDst: must be one of TRUE, FALSE/],
  ['columnIndex', '1.5', /^columnIndex: must be a whole number from 0 to 10000/],
  ['columnIndex', '10001', /^columnIndex: /],
  ['columnIndex', '-1', /^columnIndex: /],
  ['series', 'a'.repeat(256), /^series: must be a text of at most 255 characters/],
  ['parser', '{', /^parser: must be JSON/],
])('%s=%s is refused by its name', (name, value, message) => {
  expect(() => readImportFields({ [name]: value })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message) }),
  );
});

const IMPORT = {
  importId: 'i',
  nodeId: 'n',
  workspaceId: 'w',
  fileName: 'year.csv',
  sizeBytes: 10,
  state: 'DONE',
  recordsTotal: 2,
  recordsDone: 2,
  createdMs: 0,
  endedMs: null,
  source: null,
} as const;
const report = { lines: 3, parsed: 2, records: 2, unreadableFields: 0, firstFailure: '' };
test.each([
  ['no outcome yet', null, { failure: null, report: null }],
  ['a report without failures', { report }, { failure: null, report: { ...report, firstFailure: null } }],
  [
    'a refusal',
    { refusal: { kind: 'invalid_argument', reason: 'NOTHING_PARSED', message: 'no' } },
    { failure: 'no', report: null },
  ],
] as const)('an import is shown with %s', (_what, outcome, expected) => {
  expect(listedImport({ ...IMPORT, outcome } as never)).toMatchObject({
    ...expected,
    createdTime: '1970-01-01T00:00:00.000Z',
  });
});
