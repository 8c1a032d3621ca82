import { absentFiles, exitStatus, slowestFiles, summaryLine, totalsOf } from './test-results.ts';

const file = (name: string, seconds = 1, status = 'passed', cases = 1) => ({
  name: `/root/${name}`,
  status,
  startTime: 5_000,
  endTime: 5_000 + seconds * 1_000,
  assertionResults: Array.from({ length: cases }),
});
const run = (numPassedTests: number, numFailedTests = 0, testResults = [file('a.test.ts')]) => ({
  numPassedTests,
  numFailedTests,
  testResults,
});

test.each([
  ['all pass', run(3), 0, '3 passed, 0 failed', 0],
  ['one fails', run(3, 1, [file('a.test.ts', 1, 'failed')]), 1, '3 passed, 1 failed', 1],
  ['a file that cannot be loaded counts', run(3, 0, [file('a.test.ts', 1, 'failed', 0)]), 1, '3 passed, 1 failed', 1],
  ['an error that no test waited for counts', run(3), 1, '3 passed, 1 failed', 1],
  ['no test ran', run(0), 0, '0 passed, 0 failed', 1],
  ['Vitest itself failed before any result', undefined, 1, '0 passed, 1 failed', 1],
])('%s', (_what, results, status, line, expected) => {
  const totals = totalsOf(results, status);
  expect(summaryLine(totals)).toBe(line);
  expect(exitStatus(totals)).toBe(expected);
});

test('that larger real files were absent is said, unless they were there', () => {
  expect(absentFiles({})).toContain('CATCHMENT_TEST_DATA');
  expect(absentFiles({ CATCHMENT_TEST_DATA: '/data' })).toBeUndefined();
});

test('the files that took longest come first', () => {
  const files = [file('a.test.ts', 2), file('b.test.ts', 61), file('e2e/c.test.ts', 30.4)];
  expect(slowestFiles(run(1, 0, files), '/root')).toEqual([
    '   61 s  b.test.ts',
    '   30 s  e2e/c.test.ts',
    '    2 s  a.test.ts',
  ]);
  const many = Array.from({ length: 50 }, () => file('a.test.ts'));
  expect(slowestFiles(run(1, 0, many), '/root')).toHaveLength(20);
});
