import type { SeriesConfig } from '@catchment/contracts/nodes';
import { DEFAULT_TABLE } from '@catchment/quality';
import { seedOf } from '@catchment/testkit/amount';
import { type PlainResult, plainAggregate } from '../../../test/aggregate-reference.ts';
import { arrayReader } from '../../../test/array-reader.ts';
import { type Asked, difference, plainQuery, RandomAggregates } from '../../../test/random-aggregates.ts';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import { AnswerBudget } from '../../columns/domain/answer-budget.ts';
import { readOptions } from '../../columns/domain/read-options.ts';
import { viewOf } from '../../columns/domain/series-view.ts';
import type { FetchPlan } from '../../records/domain/read-range.ts';
import type { RecordSet, StoredRecord } from '../../records/domain/record-set.ts';
import type { RecordReader } from '../../records/usecases/ports.ts';
import { collectColumn } from './collect-aggregate.ts';

const HOUR = 3_600_000;
const MIN = 60_000;
const LIMITS = { maxRecords: 100_000, maxBytes: 1e9 };

async function collect(
  records: readonly Partial<StoredRecord>[],
  given: Record<string, string>,
  { startMs, endMs, limit, nowMs = Date.UTC(2100, 0, 1) }: Asked,
  series: Partial<SeriesConfig> = {},
  limits = LIMITS,
  see: (plan: FetchPlan) => void = () => {},
): Promise<RecordSet> {
  const node = seriesNode({ series });
  const options = readOptions(given, nowMs);
  const set = recordSet(node.series.valueType, records);
  const array = arrayReader(Array.from({ length: set.count }, (_, n) => set.at(n)));
  const reader: RecordReader = {
    ...array,
    scan: (key, plan, ...rest) => {
      see(plan);
      return array.scan(key, plan, ...rest);
    },
  };
  const { excluded, zone } = options;
  const from = {
    reader,
    node,
    excluded: excluded ?? new Set<never>(),
    quality: DEFAULT_TABLE,
    budget: new AnswerBudget(limits),
    signal: new AbortController().signal,
  };
  const column = { node, options, view: viewOf(node, options) };
  return collectColumn(from, column, { bounds: { startMs, endMs }, limit, nowMs, zone });
}

const resultsOf = (set: RecordSet): PlainResult[] =>
  Array.from({ length: set.count }, (_, n) => set.at(n)).map(({ timeMs, number, text, quality }) => ({
    timeMs,
    value: text ?? number,
    quality,
  }));
/** The results read `value`, `value qCODE` or `– qCODE`. */
const brief = (results: readonly PlainResult[]) =>
  results.map(({ value, quality }) => (value ?? '–') + (quality === undefined ? '' : ` q${quality}`));

const EXAMPLE = [
  { timeMs: 10 * MIN, number: 4 },
  { timeMs: 20 * MIN, number: 6 },
  { timeMs: 30 * MIN, number: 8, quality: 155 },
  { timeMs: 100 * MIN, number: 10 },
  { timeMs: 180 * MIN, number: 14 },
];

describe('the worked example in docs/reference/aggregates.md#worked-example', () => {
  const ask = async (aggregate: string, endMs = 4 * HOUR, records = EXAMPLE) =>
    resultsOf(await collect(records, { aggregate, baseTime: 'D', interval: '1H' }, { startMs: 0, endMs }));

  test.each([
    ['AVERAGE', ['5 q149', 10, '– q165', 14]],
    ['TOTAL', ['10 q149', 10, '– q165', 14]],
    ['COUNT', ['2 q149', 1, '0 q165', 1]],
    ['DELTA', ['2 q149', 0, '– q165', 0]],
    ['END', ['8 q149', 10, '– q165', 14]],
    ['INTERPOLATED', ['– q155', '8 q149', 11, 14, '– q155']],
    ['MEDIAN', ['5 q149', 10, '– q165', 14]],
    ['MIN', ['4 q149', 10, '– q165', 14]],
    ['maximum', ['6 q149', 10, '– q165', 14]],
    ['RANGE', ['2 q149', 0, '– q165', 0]],
    ['START', [4, 10, '– q165', 14]],
  ])('%s', async (aggregate, expected) => {
    const results = await ask(aggregate);
    expect(results.map(({ timeMs }) => timeMs)).toEqual(expected.map((_, hour) => hour * HOUR));
    expect(brief(results)).toEqual(expected.map(String));
  });

  test('the right-hand window is closed: at 03:01 the record is out of it', async () => {
    const moved = EXAMPLE.map((record) => ({ ...record, timeMs: record.timeMs + (record.number === 14 ? MIN : 0) }));
    expect(brief(await ask('INTERPOLATED', 4 * HOUR, moved)).slice(2)).toEqual(['– q155', '– q155', '– q155']);
  });
});

test('the example in docs/reference/aggregates.md#intervals: a partial interval has the records of the range only', async () => {
  const records = Array.from({ length: 24 }, (_, n) => ({ timeMs: n * 0.5 * HOUR, number: n }));
  const given = { aggregate: 'COUNT', baseTime: 'D', interval: '3H' };
  const range = { startMs: 2 * HOUR, endMs: 7.5 * HOUR };
  const hours = (set: RecordSet) => resultsOf(set).map(({ timeMs, value }) => [timeMs / HOUR, value]);
  expect(hours(await collect(records, given, range))).toEqual([
    [0, 2],
    [3, 6],
    [6, 3],
  ]);
  expect(hours(await collect(records, { ...given, intervalInclude: 'complete' }, range))).toEqual([[3, 6]]);
});

test('without a start no interval is cut by one', async () => {
  const given = { aggregate: 'COUNT', baseTime: 'D', interval: '200Y', intervalInclude: 'COMPLETE' };
  expect(brief(resultsOf(await collect(EXAMPLE, given, { endMs: 24 * HOUR, limit: 5 })))).toEqual(['4 q149']);
});

test('days of a zone with DST have 23 and 25 hours, without it 24', async () => {
  const from = Date.UTC(2024, 2, 29, 23);
  const records = Array.from({ length: 24 * 5 }, (_, n) => ({ timeMs: from + n * HOUR, number: 1 }));
  const ask = async (timezoneAdjustForDst: string) => {
    const given = {
      aggregate: 'TOTAL',
      baseTime: 'D',
      interval: '1D',
      timezone: 'Europe/Berlin',
      timezoneAdjustForDst,
    };
    return brief(resultsOf(await collect(records, given, { startMs: from, limit: 3 })));
  };
  expect(await ask('TRUE')).toEqual(['24', '23', '24']);
  expect(await ask('FALSE')).toEqual(['24', '24', '24']);
});

test('months are counted from the base in one step', async () => {
  const startMs = Date.UTC(2024, 0, 31);
  const set = await collect([], { aggregate: 'COUNT', baseTime: 'NOW', interval: '1MO' }, { startMs, limit: 3 });
  expect(resultsOf(set).map(({ timeMs }) => new Date(timeMs).toISOString().slice(0, 10))).toEqual([
    '2024-01-31',
    '2024-02-29',
    '2024-03-31',
  ]);
});

test('a day that a zone left out is no interval', async () => {
  const given = {
    aggregate: 'COUNT',
    baseTime: 'D',
    interval: '1D',
    timezone: 'Pacific/Apia',
    timezoneAdjustForDst: 'TRUE',
  };
  const range = { startMs: Date.UTC(2011, 11, 29, 10), endMs: Date.UTC(2011, 11, 31, 10) };
  const times = resultsOf(await collect([], given, range)).map(({ timeMs }) => new Date(timeMs).toISOString());
  expect(times).toEqual(['2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z']);
});

test('states, texts and places', async () => {
  const state = { statesType: 'DISCRETE', states: [] };
  const hourly = { baseTime: 'D', interval: '1H' };
  const range = { startMs: 0, endMs: 2 * HOUR };
  const texts = ['a', 'a', 'b', 'b', 'a'].map((text, n) => ({ timeMs: n * 20 * MIN, text, annotation: `n${n}` }));
  const TEXT = { valueType: TYPES.TEXT };
  expect(brief(resultsOf(await collect(texts, { ...hourly, aggregate: 'END' }, range, TEXT)))).toEqual(['b', 'a']);
  expect(brief(resultsOf(await collect(texts, { ...hourly, aggregate: 'COUNT' }, range, TEXT)))).toEqual(['3', '2']);
  const changes = await collect(texts, { aggregate: 'CHANGE' }, range, TEXT);
  expect([0, 1, 2].map((n) => changes.at(n))).toMatchObject([
    { text: 'a', annotation: 'n0' },
    { text: 'b', annotation: 'n2' },
    { text: 'a', annotation: 'n4' },
  ]);
  const places = [
    { timeMs: 0, number: 1, longitude: 2 },
    { timeMs: 1, number: 1, longitude: 3 },
    { timeMs: 2, number: 1, longitude: 3 },
  ];
  const PLACE = { valueType: TYPES.COORDINATES };
  expect((await collect(places, { aggregate: 'CHANGE' }, range, PLACE)).count).toBe(2);
  expect((await collect(places, { ...hourly, aggregate: 'START' }, range, PLACE)).at(0)).toMatchObject({
    number: 1,
    longitude: 2,
  });
  // No state matches: nothing is left to count.
  const stateless = await collect(EXAMPLE, { ...hourly, aggregate: 'COUNT', renderType: 'STATE' }, range, state);
  expect(brief(resultsOf(stateless))).toEqual(['0 q165', '0 q165']);
});

test.each([
  ['intervals', { aggregate: 'COUNT', interval: '1S' }, { startMs: 0, endMs: 50_001_000 }],
  ['a limit', { aggregate: 'COUNT', interval: '1S' }, { endMs: 1e12, limit: 50_001 }],
  ['boundaries', { aggregate: 'INTERPOLATED', interval: '1S' }, { startMs: 0, endMs: 50_000_000 }],
])('more than 50 000 by %s: 413 before any work', async (_what, given, asked) => {
  await expect(collect([], { baseTime: 'D', ...given }, asked)).rejects.toMatchObject({ kind: 'too_large' });
});

test('neither order nor cancellation shows in a sum', async () => {
  const records = [1e16, 1, 1e16, 1, -2e16].map((number, timeMs) => ({ timeMs, number }));
  const ask = async (aggregate: string) =>
    brief(resultsOf(await collect(records, { aggregate, baseTime: 'D', interval: '1H' }, { startMs: 0, endMs: HOUR })));
  expect(await ask('TOTAL')).toEqual(['2']);
  expect(await ask('AVERAGE')).toEqual(['0.4']);
});

describe('numbers next to the ends of their range', () => {
  const HUGE = 1.7e308;
  const ask = async (aggregate: string, numbers: readonly number[], percentile = '90') => {
    const records = numbers.map((number, n) => ({ timeMs: n * 10 * MIN, number }));
    const given = { aggregate, percentile, baseTime: 'D', interval: '1H' };
    return resultsOf(await collect(records, given, { startMs: 0, endMs: HOUR }))[0]?.value;
  };

  test.each([
    ['AVERAGE', [HUGE, HUGE, HUGE], HUGE],
    ['AVERAGE', [HUGE, HUGE, -HUGE], HUGE / 3],
    ['TOTAL', [HUGE, HUGE, -HUGE], HUGE],
    ['MEDIAN', [HUGE, HUGE], HUGE],
    ['PERCENTILE', [-HUGE, HUGE], 0.8 * HUGE],
    ['STDDEV', [HUGE, HUGE, HUGE], 0],
    ['STDDEV', [0, HUGE, 0], HUGE / Math.sqrt(3)],
    ['STDDEV', [3e-200, 1e-200, 2e-200], 1e-200],
    ['TIME_WEIGHTED_MEAN', [HUGE, HUGE, HUGE], HUGE],
    ['TIME_WEIGHTED_MEAN', [-HUGE, HUGE, HUGE], HUGE / 2],
  ])('%s of %j is %s', async (aggregate, numbers, expected) => {
    const value = Number(await ask(aggregate, numbers));
    expect(Math.abs(value - expected) <= 1e-12 * Math.abs(expected), `${value}`).toBe(true);
  });
});

test.each(['CIRCULAR_MEAN', 'TIME_WEIGHTED_MEAN', 'PERCENTILE', 'STDDEV', 'COUNTER_INCREASE', 'COUNTER_RATE'])(
  '%s of many records, which are read in two parts, is that of each half',
  async (aggregate) => {
    const records = Array.from({ length: 40_000 }, (_, n) => ({
      timeMs: n * MIN + ((n * 7_919) % 60_000),
      number: ((n * 37) % 1_000) / 7,
      ...(n % 50 === 0 && { quality: 155 }),
    })).filter((_, n) => n % 9_000 > 200);
    const given = { aggregate, percentile: '90', baseTime: 'D', interval: '1H30M' };
    const [halfMs, endMs] = [14 * 24 * HOUR, 28 * 24 * HOUR];
    const ask = async (from: number, to: number) =>
      resultsOf(await collect(records, given, { startMs: from, endMs: to }));
    expect(await ask(0, endMs)).toEqual([...(await ask(0, halfMs)), ...(await ask(halfMs, endMs))]);
  },
);

test.each([
  [4_000, 1],
  [20_000, 1],
  [40_000, 2],
])('%i records are read by as many scans as there are parts: %i', async (count, scans) => {
  const records = Array.from({ length: count }, (_, n) => ({ timeMs: n * MIN, number: n % 97 }));
  const given = { aggregate: 'STDDEV', baseTime: 'D', interval: '1H' };
  const plans: FetchPlan[] = [];
  await collect(records, given, { startMs: 0, endMs: count * MIN }, {}, LIMITS, (plan) => plans.push(plan));
  expect(plans).toHaveLength(scans);
});

test.each(['MEDIAN', 'PERCENTILE'])('%s holds no more than an answer may', async (name) => {
  const records = Array.from({ length: 11 }, (_, timeMs) => ({ timeMs, number: 1 }));
  const ask = (aggregate: string) =>
    collect(
      records,
      { aggregate, percentile: '90', baseTime: 'D', interval: '1H' },
      { startMs: 0, endMs: HOUR },
      {},
      {
        maxRecords: 10,
        maxBytes: 1e6,
      },
    );
  await expect(ask(name)).rejects.toMatchObject({
    kind: 'too_large',
    message: `aggregate: ${name} takes at most 10 records per interval`,
  });
  expect((await ask('AVERAGE')).count).toBe(1);
});

test.each(['999999999Y', '9999Y', '999999999S'])('an interval of %s either works or is refused', async (interval) => {
  for (const baseTime of ['NOW', 'NOW+1S', 'NOW-7000Y', 'FIRST', 'D[+10:00]']) {
    for (const aggregate of ['COUNT', 'INTERPOLATED']) {
      const outcome = await collect(EXAMPLE, { aggregate, baseTime, interval }, { startMs: 0, endMs: 4 * HOUR }).then(
        ({ count }) => count,
        ({ kind }) => kind,
      );
      expect([0, 1, 2, 'invalid_argument']).toContain(outcome);
    }
  }
});

describe('agrees with the plain reference', () => {
  const seed = seedOf('AGGREGATE_SEED');
  const cases = Number(process.env.AGGREGATE_CASES ?? 10_000);

  test(`${cases} random queries (AGGREGATE_SEED=${seed})`, async () => {
    const random = new RandomAggregates(seed);
    for (let n = 0; n < cases; n += 1) {
      const moment = random.moment();
      const { config, records } = random.series(moment);
      const { given, asked } = random.question(moment);
      const column = { ...given, ...random.column(config) };
      const plain = random.plainOf(records, config, column);
      const got = resultsOf(await collect(records, column, asked, config));
      const problem = difference(got, plainAggregate(plain, plainQuery(column, asked, plain, config.isDirection)));
      if (problem) throw new Error(`seed ${seed}, case ${n}: ${problem}\n${JSON.stringify({ column, asked, plain })}`);
    }
  });
});
