import { plainColumn } from '../../../test/m4-reference.ts';
import { columnRuns } from './bucket-runs.ts';
import { RangeColumns } from './range-columns.ts';

const YEAR_START = Date.UTC(2024, 0, 1);
const YEAR_END = Date.UTC(2025, 0, 1);
const MAX_MS = Date.UTC(9998, 11, 31);

const RANGES: readonly (readonly [string, number, number, number])[] = [
  ['a year of 1129 columns', YEAR_START, YEAR_END, 1129],
  ['a year of 16 000 columns', YEAR_START + 7, YEAR_END + 12_345, 16_000],
  ['columns of whole milliseconds', YEAR_START, YEAR_START + 1_000_000, 1_000],
  ['one column', YEAR_START, YEAR_END, 1],
  ['columns of a few milliseconds', YEAR_START + 1, YEAR_START + 7_919, 1_129],
  ['more columns than milliseconds', YEAR_START, YEAR_START + 10, 997],
  ['one instant', YEAR_START, YEAR_START, 1_000],
  ['all times', Date.UTC(1800, 0, 1), MAX_MS, 3_999],
];

test.each(RANGES)('each millisecond is in the column of its pixel: %s', (_what, startMs, endMs, count) => {
  const columns = new RangeColumns(startMs, endMs, count);
  const ascending = columns.ascendingIndex();
  const times = new Set([startMs, endMs]);
  for (const first of columns.starts) for (const timeMs of [first - 1, first, first + 1]) times.add(timeMs);
  for (const timeMs of [...times].sort((a, b) => a - b)) {
    if (timeMs < startMs || timeMs > endMs) continue;
    const expected = plainColumn({ startMs, endMs, columns: count }, timeMs);
    expect([timeMs, columns.indexAt(timeMs), ascending(timeMs)]).toEqual([timeMs, expected, expected]);
  }
});

/** The test takes the first and last millisecond of each bucket, as the store divides a time. */
test.each<[string, number, number, number, number?]>([
  ...RANGES.slice(0, 4).map((range): [string, number, number, number] => [...range]),
  ['a prime of days', YEAR_START + 1, YEAR_START + 1 + 86_400_000 * 13 + 1, 15_991],
  ['nearly whole milliseconds', YEAR_START, YEAR_START + 15_991 * 3_600_000 + 1, 15_991],
  ['a part of the columns', YEAR_START, YEAR_END + 1, 4_000, 1_733],
])('buckets of the store are the columns: %s', (_what, startMs, endMs, count, first = 0) => {
  const columns = new RangeColumns(startMs, endMs, count);
  const runs = columnRuns(columns, first);
  if (!runs) throw new Error('there are none');
  expect([runs[0]?.fromMs, runs.at(-1)?.toMs]).toEqual([columns.starts[first], endMs + 1]);
  for (const [n, { fromMs, toMs, bucketNs, offsetNs }] of runs.entries()) {
    if (n > 0) expect(fromMs).toBe(runs[n - 1]?.toMs);
    const bucketOf = (timeMs: number) => (BigInt(timeMs) * 1_000_000n - offsetNs) / bucketNs;
    const from = columns.indexAt(fromMs);
    const to = columns.indexAt(toMs - 1);
    for (let at = from; at <= to; at += 1) {
      const [begin = 0, end = 0] = columns.starts.subarray(at, at + 2);
      expect([at, bucketOf(begin) - bucketOf(fromMs)]).toEqual([at, BigInt(at - from)]);
      if (at < to) expect([at, bucketOf(end - 1) - bucketOf(fromMs)]).toEqual([at, BigInt(at - from)]);
    }
  }
});

test('columns that are no whole nanoseconds make a few runs only', () => {
  expect(columnRuns(new RangeColumns(YEAR_START, YEAR_END, 1_129), 0)?.length).toBe(2);
  expect(columnRuns(new RangeColumns(YEAR_START + 7, YEAR_END + 12_345, 16_000), 0)?.length).toBeLessThan(30);
});

test.each([
  ['before 1970', -1, YEAR_END, 100],
  ['too short columns', YEAR_START, YEAR_START + 1_999, 1_000],
  ['one instant', YEAR_START, YEAR_START, 10],
  ['an end that the store does not reach', YEAR_START, MAX_MS, 100],
])('the store has no buckets for %s', (_what, startMs, endMs, count) => {
  expect(columnRuns(new RangeColumns(startMs, endMs, count), 0)).toBeUndefined();
});
