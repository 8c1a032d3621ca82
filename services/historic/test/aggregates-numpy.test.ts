// These tests compare with what numpy computes from the definitions alone (aggregates-numpy.py), through the use cases of charts and of
// programs.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Caller } from '@catchment/access';
import { bytesOf, floatsOf, int32sOf } from '@catchment/contracts/packed-numbers';
import { FairQueue } from '@catchment/fair-queue';
import { DEFAULT_TABLE } from '@catchment/quality';
import { readAggregateAt } from '../src/read/usecases/read-aggregate-at.ts';
import type { ReadDeps } from '../src/read/usecases/read-deps.ts';
import { readSeries } from '../src/read/usecases/read-series.ts';
import { arrayReader } from './array-reader.ts';
import { recordSet, seriesNode } from './series.ts';

type Stored = readonly [timeMs: number, value: number | null, quality: number | null];
type Expected = readonly [startMs: number, endMs: number, value: number | null, quality: number | null];
type Case = {
  readonly series: string;
  readonly range: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly interval: string;
  readonly aggregate: string;
  readonly percentile: number | null;
  readonly results: readonly Expected[];
};

const file = path.join(import.meta.dirname, 'aggregates-numpy.json');
const { series, cases }: { series: Record<string, Stored[]>; cases: Case[] } = JSON.parse(readFileSync(file, 'utf8'));

const NOW = Date.UTC(2026, 0, 1);
const PROCESSING: Caller = { kind: 'service', service: 'processing' };
const CALL = { caller: PROCESSING, token: '', signal: new AbortController().signal };
const unused = () => Promise.reject(new Error('not asked'));

function depsOf(name: string): { deps: ReadDeps; node: ReturnType<typeof seriesNode> } {
  const node = seriesNode({ series: { isDirection: name === 'direction' } });
  const set = recordSet(
    node.series.valueType,
    (series[name] ?? []).map(([timeMs, value, quality]) => ({
      timeMs,
      ...(value !== null && { number: value }),
      ...(quality !== null && { quality }),
    })),
  );
  const deps = {
    catalogue: { resolve: async () => node, resolveAll: async () => [node] },
    reader: arrayReader(Array.from({ length: set.count }, (_, n) => set.at(n))),
    qualityOf: async () => DEFAULT_TABLE,
    settledUntil: unused,
    queueOf: async () =>
      new FairQueue({ reason: 'TOO_MANY_READS', capacity: 1, waitingPerAccount: 1, waiting: 1, waitMs: 1_000 }),
    limits: { maxRecords: 100_000, maxBytes: 1e9 },
    maxMs: 10_000,
    now: () => NOW,
  };
  return { deps: deps as unknown as ReadDeps, node };
}

type Result = { readonly startMs: number; readonly endMs?: number; readonly value: number; readonly quality: number };

/** Asks as charts do. */
async function asSeries({ startMs, endMs, ...example }: Case): Promise<Result[]> {
  const { deps, node } = depsOf(example.series);
  const asked = { nodeRef: node.nodeId, ownerId: node.ownerId, startMs, endMs, limit: 0, bounding: false };
  const results: Result[] = [];
  const request = { ...asked, transformed: true, arguments: argumentsOf(example), arrivalMs: NOW };
  for await (const chunk of readSeries(deps, request, CALL)) {
    const [numbers, qualities] = [floatsOf(chunk.numbers), int32sOf(chunk.qualities)];
    for (const [n, timeMs] of floatsOf(chunk.timestamps).entries())
      results.push({ startMs: timeMs, value: numbers[n] ?? Number.NaN, quality: qualities[n] ?? -1 });
  }
  return results;
}

/** Asks as programs do that wait for whole intervals. */
async function asProgram({ results: expected, ...programmed }: Case): Promise<Result[]> {
  const { deps, node } = depsOf(programmed.series);
  const { aggregate, percentile = '', baseTime, interval, timezone } = argumentsOf(programmed);
  const request = {
    ownerId: node.ownerId,
    nodeId: node.nodeId,
    aggregate,
    percentile,
    baseTime,
    interval,
    timezone,
    timezoneAdjustForDst: true,
    qualityExcluded: undefined,
    wholeIntervals: true,
    times: bytesOf(Float64Array.from(expected, ([startMs]) => startMs)),
  };
  const results: Result[] = [];
  for await (const chunk of readAggregateAt(deps, request, CALL)) {
    const [numbers, qualities] = [floatsOf(chunk.numbers), int32sOf(chunk.qualities)];
    const [starts, ends] = [floatsOf(chunk.starts), floatsOf(chunk.ends)];
    for (const [n, startMs] of starts.entries())
      results.push({
        startMs,
        endMs: ends[n] ?? 0,
        value: numbers[n] ?? Number.NaN,
        quality: qualities[n] ?? -1,
      });
  }
  return results;
}

const argumentsOf = ({ aggregate, percentile, interval }: Pick<Case, 'aggregate' | 'percentile' | 'interval'>) => ({
  aggregate,
  interval,
  baseTime: 'D',
  timezone: 'Europe/Berlin',
  timezoneAdjustForDst: 'TRUE',
  ...(percentile !== null && { percentile: String(percentile) }),
});

/** Sums and differences have this tolerance relative to the largest number of the series; directions have DEGREES. */
const TOLERANCE = 1e-12;
const DEGREES = 1e-9;

function expectResult({ series: name, aggregate }: Case, [startMs, , value, quality]: Expected, got?: Result): void {
  const isDirection = name === 'direction';
  const size = isDirection ? 360 : Math.max(...(series[name] ?? []).map(([, number]) => Math.abs(number ?? 0)));
  const shown = { startMs, value: got && Number.isFinite(got.value) ? got.value : null, quality: got?.quality ?? -1 };
  const off = Math.abs((shown.value ?? 0) - (value ?? 0));
  const isNear = isDirection ? Math.min(off, 360 - off) < DEGREES : off / size < TOLERANCE;
  const expected = { startMs, value: isNear && value !== null ? shown.value : value, quality: quality ?? -1 };
  expect(shown, aggregate).toEqual(expected);
  if (aggregate === 'CIRCULAR_MEAN' && shown.value !== null) expect(shown.value >= 0 && shown.value < 360).toBe(true);
}

const titled = cases.map((example) => ({
  ...example,
  what: example.percentile === null ? example.aggregate : `${example.aggregate}(${example.percentile})`,
}));

test.each(titled)('$what of «$series» by $interval, $range, is what numpy computes', async (example) => {
  const results = await asSeries(example);
  expect(results).toHaveLength(example.results.length);
  for (const [n, expected] of example.results.entries()) expectResult(example, expected, results[n]);
});

const ofPrograms = titled.filter(({ range, aggregate }) => range === 'whole days' && aggregate !== 'INTERPOLATED');
test.each(ofPrograms)('$what of «$series» by $interval is the same in programs', async (example) => {
  const results = await asProgram(example);
  let same = 0;
  for (const [n, expected] of example.results.entries()) {
    const [startMs, endMs] = expected;
    // Hours of programs begin anew with the day where a clock changes.
    if (results[n]?.startMs !== startMs || results[n]?.endMs !== endMs) continue;
    same += 1;
    expectResult(example, expected, results[n]);
  }
  expect(same).toBeGreaterThan(example.interval === '6H' ? 4 : example.results.length - 1);
});

test.each([
  ['lonely', 'STDDEV', 'a sample of one', 'has no value'],
  ['lonely', 'TIME_WEIGHTED_MEAN', 'a line through one point', 'has no value'],
  ['lonely', 'COUNTER_INCREASE', 'a counter that nothing came before', 'has a value'],
  ['huge', 'STDDEV', 'a deviation of ±1.7e308', 'has a value'],
  ['huge', 'PERCENTILE', 'a percentile of ±1.7e308', 'has a value'],
  ['huge', 'TIME_WEIGHTED_MEAN', 'a mean of ±1.7e308', 'has a value'],
])('the cases have «%s» by %s: %s %s', (name, aggregate, _what, has) => {
  const found = cases
    .filter((example) => example.series === name && example.aggregate === aggregate)
    .flatMap(({ results }) => results)
    .filter(([, , value, quality]) => quality === null && (value === null) === (has === 'has no value'));
  expect(found).not.toHaveLength(0);
});
