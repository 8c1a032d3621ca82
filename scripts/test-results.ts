import path from 'node:path';

/** The part of Jest's `--json` output that is read here. */
export type JestResults = {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that could not even be loaded: they fail without a failed test in them. */
  numRuntimeErrorTestSuites: number;
  /** Each file by its path, with when it ran (Unix ms). */
  testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
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

const SHOWN_FILES = 20;

/** Where the time goes: a line for each of the files that took longest, with its seconds. */
export function slowestFiles(runs: readonly JestResults[], root: string): string[] {
  return runs
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime }) => ({
      name: path.relative(root, name),
      seconds: (endTime - startTime) / 1_000,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SHOWN_FILES)
    .map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${name}`);
}

/** The last line of `npm test`. */
export function summaryLine({ passed, failed }: Totals): string {
  return `${passed} passed, ${failed} failed`;
}
