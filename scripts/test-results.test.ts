import { absentFiles, exitStatus, slowestFiles, summaryLine, sumUp } from './jest-results.ts';

const run = (numPassedTests: number, numFailedTests = 0, numRuntimeErrorTestSuites = 0) => ({
  numPassedTests,
  numFailedTests,
  numRuntimeErrorTestSuites,
  testResults: [],
});

test.each([
  ['all pass', [run(3), run(2)], [0, 0], '5 passed, 0 failed', 0],
  ['one fails', [run(3, 1), run(2)], [1, 0], '5 passed, 1 failed', 1],
  ['a file that cannot be loaded counts as a failure', [run(3, 0, 1)], [1], '3 passed, 1 failed', 1],
  ['no test ran', [run(0)], [0], '0 passed, 0 failed', 1],
  ['Jest itself failed before any result', [], [1], '0 passed, 0 failed', 1],
  ['Jest failed in its teardown', [run(3)], [1], '3 passed, 0 failed', 1],
])('%s', (_what, runs, statuses, line, status) => {
  const totals = sumUp(runs);
  expect(summaryLine(totals)).toBe(line);
  expect(exitStatus(totals, statuses)).toBe(status);
});

test('that larger real files were absent is said, unless they were there', () => {
  expect(absentFiles({})).toContain('CATCHMENT_TEST_DATA');
  expect(absentFiles({ CATCHMENT_TEST_DATA: '/data' })).toBeUndefined();
});

test('the files that took longest come first, of all runs', () => {
  const took = (name: string, seconds: number) => ({
    name: `/root/${name}`,
    startTime: 5_000,
    endTime: 5_000 + seconds * 1_000,
  });
  const runs = [
    { ...run(1), testResults: [took('a.test.ts', 2), took('b.test.ts', 61)] },
    { ...run(1), testResults: [took('e2e/c.test.ts', 30.4)] },
  ];
  expect(slowestFiles(runs, '/root')).toEqual(['   61 s  b.test.ts', '   30 s  e2e/c.test.ts', '    2 s  a.test.ts']);
  expect(
    slowestFiles([{ ...run(1), testResults: Array.from({ length: 50 }, () => took('a', 1)) }], '/root'),
  ).toHaveLength(20);
});
