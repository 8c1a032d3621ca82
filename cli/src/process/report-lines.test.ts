import { reportLines, type TestReport } from './report-lines.ts';

const REPORT: TestReport = {
  records: [],
  errors: [],
  console: [],
  runs: 0,
  failed: 0,
  elapsedMs: 0,
  isComplete: true,
};
const AT = '2024-03-01T00:00:00.000Z';

test('records are a table, with what went wrong and what the program said below', () => {
  const report = {
    ...REPORT,
    records: [
      { ts: AT, value: -12.25, quality: 192 },
      { ts: AT, value: 'on\nfire\u001b[31m' },
      { ts: AT, value: null, quality: 0 },
    ],
    errors: [{ ts: AT, message: 'x is not defined', line: 3 }],
    console: [{ ts: AT, text: 'level 5' }],
    runs: 4,
    failed: 1,
    elapsedMs: 12.345,
  };
  expect(reportLines(report)).toEqual([
    'time                      value         quality',
    `${AT}  -12.25        192`,
    `${AT}  on fire [31m`,
    `${AT}  –             0`,
    '',
    'Errors:',
    `  ${AT}  line 3  x is not defined`,
    '',
    'Console:',
    `  ${AT}  level 5`,
    '',
    '4 runs, 1 failed, 3 records, 12.3 ms',
  ]);
});

test('records of a processor name their output', () => {
  expect(reportLines({ ...REPORT, runs: 1, records: [{ ts: AT, output: 'Sum', value: true }] })).toEqual([
    'time                      output  value  quality',
    `${AT}  Sum     true`,
    '',
    '1 run, 0 failed, 1 record, 0.0 ms',
  ]);
});

test('a range that was too long says so', () => {
  expect(reportLines({ ...REPORT, isComplete: false })).toEqual([
    '0 runs, 0 failed, 0 records, 0.0 ms; not all of the range was evaluated: give a shorter one',
  ]);
});
