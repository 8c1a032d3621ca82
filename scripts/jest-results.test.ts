import { absentFiles, exitStatus, summaryLine, sumUp } from './jest-results.ts';

const run = (numPassedTests: number, numFailedTests = 0, numRuntimeErrorTestSuites = 0) => ({
  numPassedTests,
  numFailedTests,
  numRuntimeErrorTestSuites,
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
