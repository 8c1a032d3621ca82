import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A row has the time, value and quality of a record; null = none. */
type StoredRow = readonly [timeMs: number, value: number | null, quality: number | null];
type Result = {
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number | null;
  readonly quality: number | null;
};

type Data = {
  readonly series: Readonly<Record<string, readonly StoredRow[]>>;
  readonly cases: readonly {
    readonly series: string;
    readonly range: string;
    readonly startMs: number;
    readonly endMs: number;
    readonly interval: string;
    readonly aggregate: string;
    readonly percentile: number | null;
    readonly results: readonly (readonly [number, number, number | null, number | null])[];
  }[];
};

const FILE = path.resolve(import.meta.dirname, '../../services/historic/test/aggregates-numpy.json');

/**
 * Series with bad qualities, records without a value, gaps, resets, a north that is crossed and a day of 23 hours, stand here with what
 * numpy computes of them: `services/historic/test/aggregates-numpy.py`.
 */
export const numpyData: Data = JSON.parse(readFileSync(FILE, 'utf8'));

/** Returns numpy's results for whole days in Europe/Berlin. */
export function numpyResults(series: string, aggregate: string, percentile: number | null, interval: string) {
  const found = numpyData.cases.find(
    (testCase) =>
      testCase.range === 'whole days' &&
      [testCase.series, testCase.aggregate, testCase.percentile, testCase.interval].join() ===
        [series, aggregate, percentile, interval].join(),
  );
  if (!found) throw new Error(`numpy has computed no ${aggregate} of ${series} by ${interval}`);
  const results: Result[] = found.results.map(([startMs, endMs, value, quality]) => ({
    startMs,
    endMs,
    value,
    quality,
  }));
  return { ...found, results };
}
