import type { Caller } from '@catchment/access';
import type { SeriesConfig } from '@catchment/contracts/nodes';
import { bytesOf, floatsOf, int32sOf } from '@catchment/contracts/packed-numbers';
import { DomainError } from '@catchment/errors';
import { FairQueue } from '@catchment/fair-queue';
import { DEFAULT_TABLE } from '@catchment/quality';
import { seedOf } from '@catchment/testkit/amount';
import { effectiveZone } from '@catchment/time';
import { type PlainResult, plainAggregate } from '../../../test/aggregate-reference.ts';
import { arrayReader } from '../../../test/array-reader.ts';
import { difference, plainQuery, RandomAggregates } from '../../../test/random-aggregates.ts';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import type { StoredRecord } from '../../records/domain/record-set.ts';
import { readAggregateAt } from './read-aggregate-at.ts';
import type { ReadDeps } from './read-deps.ts';

const HOUR = 3_600_000;
const MIN = 60_000;
const NOW = Date.UTC(2100, 0, 1);
const PROCESSING: Caller = { kind: 'service', service: 'processing' };

type Asked = {
  readonly times: readonly number[];
  readonly given: Readonly<Record<string, string>>;
  readonly wholeIntervals?: boolean;
  readonly series?: Partial<SeriesConfig>;
  readonly caller?: Caller;
};
type Result = PlainResult & { readonly startMs: number; readonly endMs: number };

async function ask(records: readonly Partial<StoredRecord>[], asked: Asked) {
  const { times, given, wholeIntervals = false, series = {}, caller = PROCESSING } = asked;
  const node = seriesNode({ series });
  const set = recordSet(node.series.valueType, records);
  const catalogue = { resolve: async () => node, resolveAll: async () => [node] };
  const deps: ReadDeps = {
    catalogue,
    reader: arrayReader(Array.from({ length: set.count }, (_, n) => set.at(n))),
    summaries: { summarize: () => Promise.reject(new Error('not asked')) },
    outlines: {
      numbers: () => Promise.reject(new Error('not asked')),
      edgesCost: () => Promise.reject(new Error('not asked')),
      extremes: () => Promise.reject(new Error('not asked')),
      edges: () => Promise.reject(new Error('not asked')),
    },
    qualityOf: async () => DEFAULT_TABLE,
    settledUntil: () => Promise.reject(new Error('not asked')),
    queueOf: async () =>
      new FairQueue({ reason: 'TOO_MANY_READS', capacity: 1, waitingPerAccount: 1, waiting: 1, waitMs: 1_000 }),
    limits: { maxRecords: 100_000, maxBytes: 1e9 },
    maxMs: 10_000,
    now: () => NOW,
  };
  const { aggregate = '', percentile = '', baseTime = '', interval = '', timezone = '', qualityExcluded } = given;
  const request = {
    ownerId: node.ownerId,
    nodeId: node.nodeId,
    aggregate,
    percentile,
    baseTime,
    interval,
    timezone,
    qualityExcluded,
    timezoneAdjustForDst: given.timezoneAdjustForDst === 'TRUE',
    times: bytesOf(Float64Array.from(times)),
    wholeIntervals,
  };
  const call = { caller, token: '', signal: new AbortController().signal };
  const results: Result[] = [];
  const newest: (number | undefined)[] = [];
  for await (const chunk of readAggregateAt(deps, request, call)) {
    newest.push(chunk.newestMs);
    const [numbers, starts, ends] = [floatsOf(chunk.numbers), floatsOf(chunk.starts), floatsOf(chunk.ends)];
    const qualities = int32sOf(chunk.qualities);
    for (const [n, startMs] of starts.entries()) {
      const value = chunk.texts[n] ?? numbers[n] ?? Number.NaN;
      const quality = qualities[n] ?? -1;
      results.push({
        timeMs: times[results.length] ?? 0,
        startMs,
        endMs: ends[n] ?? 0,
        value: Number.isNaN(value) ? undefined : value,
        quality: quality < 0 ? undefined : quality,
      });
    }
  }
  return { results, newest };
}

const EXAMPLE = [
  { timeMs: 10 * MIN, number: 4 },
  { timeMs: 20 * MIN, number: 6 },
  { timeMs: 30 * MIN, number: 8, quality: 155 },
  { timeMs: 100 * MIN, number: 10 },
  { timeMs: 180 * MIN, number: 14 },
];
const HOURLY = { baseTime: 'D', interval: '1H' };
const brief = ({ results }: { results: readonly Result[] }) =>
  results.map(({ value, quality }) => (value ?? '–') + (quality === undefined ? '' : ` q${quality}`));

test('an interval is answered as far as its records go at the time, that time included', async () => {
  const times = [0, 10, 11, 20, 35, 59, 60, 100, 130, 181].map((minutes) => minutes * MIN);
  const asked = { times, given: { ...HOURLY, aggregate: 'TOTAL' } };
  const answers = ['– q165', '4', '4', '10', '10 q149', '10 q149', '– q165', '10', '– q165', '14'];
  expect(brief(await ask(EXAMPLE, asked))).toEqual(answers);
});

test('an interval is answered as a whole, with its bounds and how far the series goes', async () => {
  const times = [0, 59 * MIN, HOUR, 3 * HOUR];
  const asked = { times, given: { ...HOURLY, aggregate: 'TOTAL' }, wholeIntervals: true };
  const answer = await ask(EXAMPLE, asked);
  expect(brief(answer)).toEqual(['10 q149', '10 q149', '10', '14']);
  expect(answer.results.map(({ startMs, endMs }) => [startMs / HOUR, endMs / HOUR])).toEqual([
    [0, 1],
    [0, 1],
    [1, 2],
    [3, 4],
  ]);
  expect(answer.newest).toEqual([180 * MIN]);
});

test('the newest time is that of a record that counts', async () => {
  const records = [
    { timeMs: 1, number: 1 },
    { timeMs: 2, number: 2, quality: 155 },
    { timeMs: 3, annotation: 'x' },
  ];
  const of = async (qualityExcluded: string) =>
    (await ask(records, { times: [5], given: { ...HOURLY, aggregate: 'END', qualityExcluded } })).newest;
  expect([await of('NONE'), await of('BAD'), await of('BAD,GOOD')]).toEqual([[2], [1], [undefined]]);
});

test('texts and coordinates have a first, a last and a number of values', async () => {
  const texts = [
    { timeMs: 1, text: 'a' },
    { timeMs: 2, text: 'b' },
  ];
  const of = (aggregate: string) =>
    ask(texts, { times: [0, 1, 2], given: { ...HOURLY, aggregate }, series: { valueType: TYPES.TEXT } });
  expect(brief(await of('START'))).toEqual([' q165', 'a', 'a']);
  expect(brief(await of('END'))).toEqual([' q165', 'a', 'b']);
  expect(brief(await of('COUNT'))).toEqual(['0 q165', '1', '2']);
});

test('no record is in two intervals, whatever the times', async () => {
  const given = { aggregate: 'TOTAL', baseTime: 'D+9H', interval: '2D' };
  const records = Array.from({ length: 100 }, (_, n) => ({ timeMs: n * HOUR, number: 1 }));
  const { results } = await ask(records, { times: [57, 58, 81, 82].map((hours) => hours * HOUR - 1), given });
  expect(results.map(({ startMs, value }) => [startMs / HOUR, value])).toEqual([
    [9, 48],
    [57, 1],
    [57, 24],
    [57, 25],
  ]);
});

test.each([
  ['D+9H', '1D', 'Europe/Berlin', '2024-03-31', [23, 24, 24]],
  ['D+9H', '1D', 'Europe/Berlin', '2024-10-27', [25, 24, 24]],
  ['D+9H', '1D', 'Australia/Sydney', '2024-10-06', [23, 24, 24]],
  ['D+9H', '1D', 'Australia/Sydney', '2024-04-07', [25, 24, 24]],
  ['D', '1D', 'Asia/Beirut', '2024-03-31', [24, 23, 24]],
  ['D', '1D', 'America/Havana', '2024-11-03', [24, 25, 24]],
  ['D', '12H', 'Europe/Berlin', '2024-03-31', [12, 12, 12, 11, 12, 12]],
  ['D', '12H', 'Europe/Berlin', '2024-10-27', [12, 12, 12, 12, 1, 12, 12]],
] as const)(
  'whole intervals of base %s and %s in %s around %s have %j hourly records, each of them once',
  async (baseTime, interval, timezone, day, counts) => {
    const zone = effectiveZone(timezone, true, NOW);
    const fromMs = zone.instantMsOf(Date.parse(`${day}T${baseTime === 'D' ? '00' : '09'}:00Z`) - 24 * HOUR);
    const hours = counts.reduce((sum, count) => sum + count, 0);
    const records = Array.from({ length: hours }, (_, n) => ({ timeMs: fromMs + n * HOUR, number: 1 }));
    const given = { aggregate: 'TOTAL', baseTime, interval, timezone, timezoneAdjustForDst: 'TRUE' };
    const times = records.map(({ timeMs }) => timeMs);
    const whole = (await ask(records, { times, given, wholeIntervals: true })).results;
    expect(whole.map(({ value }) => value)).toEqual(
      counts.flatMap((count) => Array.from({ length: count }, () => count)),
    );
    const running = (await ask(records, { times, given })).results;
    expect(running.map(({ value }) => value)).toEqual(
      counts.flatMap((count) => Array.from({ length: count }, (_, n) => n + 1)),
    );
  },
);

test.each([
  ['INTERPOLATED', 'INVALID_ARGUMENT'],
  ['CHANGE', 'INVALID_ARGUMENT'],
  ['NONE', 'INVALID_ARGUMENT'],
])('%s is no aggregate of intervals', async (aggregate, reason) => {
  const error = await ask([], { times: [0], given: { ...HOURLY, aggregate } }).catch((thrown: unknown) => thrown);
  expect(error instanceof DomainError && error.reason).toBe(reason);
});

test('people are refused, and so are times out of order', async () => {
  const given = { ...HOURLY, aggregate: 'END' };
  const person: Caller = {
    kind: 'api',
    ownerId: 'o',
    userId: 'u',
    username: 'u',
    permission: 'MODIFY',
    accessLevel: 'ACCOUNT',
  };
  await expect(ask([], { times: [0], given, caller: person })).rejects.toMatchObject({ kind: 'permission_denied' });
  await expect(ask([], { times: [2, 1], given })).rejects.toMatchObject({ kind: 'invalid_argument' });
  await expect(ask([], { times: Array.from({ length: 10_001 }, () => 0), given })).rejects.toThrow('10000');
});

const seed = seedOf('AGGREGATE_SEED');

test(`results are those of a read that ends at the time (seed ${seed})`, async () => {
  const random = new RandomAggregates(seed);
  for (let n = 0; n < 500; n += 1) {
    const moment = random.moment();
    const { config, records } = random.series(moment);
    const { given } = random.question(moment);
    const { aggregate = '', percentile = '' } = random.column(config);
    if (aggregate === 'CHANGE' || aggregate === 'INTERPOLATED') continue;
    const column = { ...given, aggregate, percentile, renderType: 'VALUE' };
    const plain = random.plainOf(records, config, column);
    const times = [
      ...records.slice(0, 10).map(({ timeMs = 0 }) => timeMs),
      ...Array.from({ length: 5 }, () => Math.round(moment.middleMs + (random.share() - 0.5) * 2 * moment.spanMs)),
    ].sort((a, b) => a - b);
    const wholeIntervals = random.share() < 0.5;
    const { results } = await ask(records, { times, given: column, wholeIntervals, series: config });
    for (const { timeMs, startMs, endMs, value, quality } of results) {
      const where = `seed ${seed}, case ${n}: ${JSON.stringify({ column, timeMs, startMs, endMs })}`;
      if (timeMs < startMs || timeMs >= endMs) throw new Error(`${where}: not in the interval`);
      const asked = { startMs, endMs: wholeIntervals ? endMs : timeMs + 1, nowMs: NOW };
      const grid = { baseTime: 'NOW', interval: `${(endMs - startMs) / 1000}S`, intervalInclude: 'PARTIAL' };
      const expected = plainAggregate(plain, plainQuery({ ...column, ...grid }, asked, plain, config.isDirection));
      const problem = difference(
        [{ timeMs: startMs, value: value === '' ? undefined : value, quality }],
        expected.map((result) => ({ ...result, value: result.value === '' ? undefined : result.value })),
      );
      if (problem) throw new Error(`${where}: ${problem}`);
    }
  }
});
