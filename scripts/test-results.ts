import path from 'node:path';

/** This part of Vitest's JSON report is read here. */
export type TestResults = {
  numPassedTests: number;
  numFailedTests: number;
  /** Each file has its path and when it ran (Unix ms). One that could not be loaded has failed without a test. */
  testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly unknown[];
  }[];
};

export type Totals = { passed: number; failed: number };

/**
 * Returns what a run has counted. A file that could not be loaded counts as one failed test; so does a run that has
 * failed although all tests passed: an error that no test waited for, its own setup, a wrong option.
 */
export function totalsOf(results: TestResults | undefined, status: number): Totals {
  if (results === undefined) return { passed: 0, failed: status === 0 ? 0 : 1 };
  const unloaded = results.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = results.numFailedTests + unloaded;
  return { passed: results.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
}

/** Returns the exit status of `npm test`: also a failure when not one test ran, e.g. because no file matched. */
export function exitStatus({ passed, failed }: Totals): number {
  return failed > 0 || passed === 0 ? 1 : 0;
}

/** Returns the line about larger files of the real-files test that were absent; undefined when they were there. */
export function absentFiles({ CATCHMENT_TEST_DATA }: NodeJS.ProcessEnv): string | undefined {
  return CATCHMENT_TEST_DATA
    ? undefined
    : 'Without CATCHMENT_TEST_DATA: of the real files those in the repository were tested, the larger ones were absent.';
}

const SHOWN_FILES = 20;

/** Shows where the time goes: a line for each of the files that took longest, with its seconds. */
export function slowestFiles(results: TestResults | undefined, root: string): string[] {
  return (results?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({
      name: path.relative(root, name),
      seconds: (endTime - startTime) / 1_000,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SHOWN_FILES)
    .map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${name}`);
}

/** Writes the last line of `npm test`. */
export function summaryLine({ passed, failed }: Totals): string {
  return `${passed} passed, ${failed} failed`;
}
