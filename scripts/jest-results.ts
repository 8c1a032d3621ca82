/** The part of Jest's `--json` output that is read here. */
export type JestResults = {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that could not even be loaded: they fail without a failed test in them. */
  numRuntimeErrorTestSuites: number;
};

export type Totals = { passed: number; failed: number };

/** Adds up the runs; a file that could not be loaded counts as one failed test. */
export function sumUp(runs: readonly JestResults[]): Totals {
  const totals = { passed: 0, failed: 0 };
  for (const run of runs) {
    totals.passed += run.numPassedTests;
    totals.failed += run.numFailedTests + run.numRuntimeErrorTestSuites;
  }
  return totals;
}

/**
 * Exit status of `npm test`: also a failure when Jest failed for another reason (its own setup, a wrong option) or
 * when not one test ran, e.g. because no file matched.
 */
export function exitStatus({ passed, failed }: Totals, jestStatuses: readonly number[]): number {
  return failed > 0 || passed === 0 || jestStatuses.some((status) => status !== 0) ? 1 : 0;
}

/** The line about larger files of the real-files test that were absent; undefined when they were there. */
export function absentFiles({ CATCHMENT_TEST_DATA }: NodeJS.ProcessEnv): string | undefined {
  return CATCHMENT_TEST_DATA
    ? undefined
    : 'Without CATCHMENT_TEST_DATA: of the real files those in the repository were tested, the larger ones were absent.';
}

/** The last line of `npm test`. */
export function summaryLine({ passed, failed }: Totals): string {
  return `${passed} passed, ${failed} failed`;
}
