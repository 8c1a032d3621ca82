import type { SeriesConfig } from '@catchment/contracts/nodes';
import { evaluateOpc } from '@catchment/time';
import { type PlainQuery, type PlainRecord, type PlainResult, plainAggregate } from '../../test/aggregate-reference.ts';
import { arrayReader } from '../../test/array-reader.ts';
import { recordSet, seriesNode, TYPES } from '../../test/series.ts';
import { AnswerBudget } from '../domain/answer-budget.ts';
import { DEFAULT_QUALITY, qualityTypeOf } from '../domain/quality.ts';
import { readOptions } from '../domain/read-options.ts';
import type { RecordSet, StoredRecord } from '../domain/record-set.ts';
import { viewOf } from '../domain/series-view.ts';
import { collectColumn } from './collect-aggregate.ts';

const HOUR = 3_600_000;
const MIN = 60_000;
const LIMITS = { maxRecords: 100_000, maxBytes: 1e9 };

type Asked = {
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly limit?: number | undefined;
  readonly nowMs?: number;
};

async function collect(
  records: readonly Partial<StoredRecord>[],
  given: Record<string, string>,
  { startMs, endMs, limit, nowMs = Date.UTC(2100, 0, 1) }: Asked,
  series: Partial<SeriesConfig> = {},
  limits = LIMITS,
): Promise<RecordSet> {
  const node = seriesNode({ series });
  const options = readOptions(given, nowMs);
  const set = recordSet(node.series.valueType, records);
  const reader = arrayReader(Array.from({ length: set.count }, (_, n) => set.at(n)));
  const { excluded, zone } = options;
  const from = {
    ...{ reader, node, excluded: excluded ?? new Set<never>(), quality: DEFAULT_QUALITY },
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
/** `value`, or `value qCODE`, `– qCODE`. */
const brief = (results: readonly PlainResult[]) =>
  results.map(({ value, quality }) => (value ?? '–') + (quality === undefined ? '' : ` q${quality}`));

const EXAMPLE = [
  { timeMs: 10 * MIN, number: 4 },
  { timeMs: 20 * MIN, number: 6 },
  { timeMs: 30 * MIN, number: 8, quality: 155 },
  { timeMs: 100 * MIN, number: 10 },
  { timeMs: 180 * MIN, number: 14 },
];

describe('the worked example of semantics 7.4', () => {
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

test('the example of semantics 7.2: a partial interval has the records of the range only', async () => {
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

test('as many as are allowed', async () => {
  const given = { baseTime: 'D', interval: '1S' };
  const range = { startMs: 0, endMs: 50_000_000 };
  expect((await collect([], { ...given, aggregate: 'COUNT' }, range)).count).toBe(50_000);
});

test('MEDIAN holds no more than an answer may', async () => {
  const records = Array.from({ length: 11 }, (_, timeMs) => ({ timeMs, number: 1 }));
  const ask = (aggregate: string) =>
    collect(
      records,
      { aggregate, baseTime: 'D', interval: '1H' },
      { startMs: 0, endMs: HOUR },
      {},
      {
        maxRecords: 10,
        maxBytes: 1e6,
      },
    );
  await expect(ask('MEDIAN')).rejects.toMatchObject({ kind: 'too_large' });
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
  const seed = Number(process.env.AGGREGATE_SEED ?? Date.now() % 1e9);
  const cases = Number(process.env.AGGREGATE_CASES ?? 4_000);
  const random = randomOf(seed);
  const pick = <T>(...list: T[]): T => list[Math.floor(random() * list.length)] as T;
  const whole = (max: number) => Math.floor(random() * (max + 1));

  const PERIODS = ['20S', '7M', '30M', '1H', '1H30M', '6H', '1D', '1D12H', '1W', '1MO', '1MO3D', '2MO', '1Y'] as const;
  const LENGTHS = [20 / 60, 7, 30, 60, 90, 360, 1440, 2160, 10_080, 43_800, 48_000, 87_600, 525_600];
  const BASES = ['D', 'H', 'NOW', 'D+9H', 'D+2H30M', 'FIRST', 'LAST-1H', 'D[+05:45]'];
  /** Not with short intervals: the reference counts every one of them from the base on. */
  const FAR_BASES = ['MO', 'Y', 'W', 'MO-1D'];
  const ZONES = [
    'Etc/UTC',
    'Europe/Berlin',
    'Australia/Sydney',
    'Australia/Lord_Howe',
    'America/New_York',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'America/St_Johns',
  ];
  /** When a day was left out. */
  const APIA_LEAP = '2011-12-30T10:00Z';
  const AROUND = ['2024-03-31T01:00Z', '2024-10-27T01:00Z', '2024-04-06T16:00Z', '2024-10-05T16:00Z', APIA_LEAP];
  const AGGREGATES = [
    ...[
      'CHANGE',
      'INTERPOLATED',
      'AVERAGE',
      'MEDIAN',
      'TOTAL',
      'MIN',
      'MAX',
      'RANGE',
      'DELTA',
      'COUNT',
      'START',
      'END',
    ],
  ];
  const RANGE_STATES = ['LOW', 'NORMAL', 'HIGH'].map((name, n) => ({
    ...{ stateId: name, name, threshold: [-100, undefined, 100][n], textThreshold: undefined, occurrences: 1 },
    ...{ isAlarm: false, notify: 'NEVER', categoryId: '', messageAway: '', messageTowards: '', qualityCode: undefined },
  }));
  const stateOf = (value: number) => (value >= 100 ? 'HIGH' : value <= -100 ? 'LOW' : 'NORMAL');

  test(`${cases} random queries (AGGREGATE_SEED=${seed})`, async () => {
    for (let n = 0; n < cases; n += 1) {
      const which = whole(PERIODS.length - 1);
      const lengthMs = Math.round((LENGTHS[which] ?? 1) * MIN);
      const rounded = (ms: number, grain = pick(1, 1000, 10 * MIN, HOUR)) => Math.round(ms / grain) * grain;
      const around = pick(...AROUND);
      const middleMs = rounded(Date.parse(around) + (random() - 0.5) * pick(0, 2, 400) * 24 * HOUR);
      const spanMs = lengthMs * pick(0.5, 3, 12);
      const asText = random() < 0.2;
      const asState = !asText && random() < 0.2;
      const [multiplier, offset] = asText ? [1, 0] : pick([1, 0], [0.5, -3], [-4, 10]);

      const times = new Set<number>();
      for (let count = pick(0, 1, 5, 40); count > 0; count -= 1)
        times.add(rounded(middleMs + (random() - 0.5) * 2.5 * spanMs));
      const stored: Partial<StoredRecord>[] = [];
      const plain: PlainRecord[] = [];
      for (const timeMs of [...times].sort((a, b) => a - b)) {
        const quality = random() < 0.6 ? undefined : pick(149, 155, 158, 162, 165, 9, 0);
        const has = random() < 0.9;
        const number = pick(whole(3), (whole(2e9) - 1e9) / 1024, (whole(4e5) - 2e5) / 1024);
        const text = pick('a', 'b', '');
        stored.push({
          timeMs,
          quality,
          ...(has && (asText ? { text } : { number })),
          ...(!has && { annotation: 'x' }),
        });
        const value = asText ? text : number * multiplier + offset;
        const shown = asState ? stateOf(Number(value)) : value;
        plain.push({ timeMs, value: has ? shown : undefined, quality, type: qualityTypeOf(quality) });
      }

      const aggregate = pick(...(asText || asState ? ['CHANGE', 'COUNT', 'START', 'END'] : AGGREGATES));
      const shape = pick('both', 'both', 'both+limit', 'start+limit', 'end+limit', 'limit');
      const startMs =
        shape.startsWith('both') || shape === 'start+limit' ? rounded(middleMs - spanMs * random()) : undefined;
      const endMs =
        shape.startsWith('both') || shape === 'end+limit'
          ? rounded(middleMs + spanMs * random()) + whole(1)
          : undefined;
      if (startMs !== undefined && endMs !== undefined && startMs > endMs) continue;
      const limit = shape.includes('limit') ? 1 + whole(20) : undefined;
      const nowMs = rounded(middleMs + pick(-0.5, 0, 0.5, 2, 5) * spanMs);
      const zone = around === APIA_LEAP && random() < 0.5 ? 'Pacific/Apia' : pick(...ZONES);
      const given = {
        aggregate,
        baseTime: pick(...BASES, ...(lengthMs < 6 * HOUR ? [] : FAR_BASES)),
        interval: PERIODS[which] ?? '1H',
        intervalInclude: pick('PARTIAL', 'COMPLETE'),
        timezone: zone,
        timezoneAdjustForDst: pick('TRUE', 'FALSE'),
        qualityExcluded: pick('NONE', 'NONE', 'BAD', 'BAD,UNCERTAIN', 'GOOD'),
        renderType: asState ? 'STATE' : 'VALUE',
      };
      const series = {
        ...{ multiplier, offset, valueType: asText ? TYPES.TEXT : TYPES.NUMBER },
        ...{ statesType: 'RANGE', states: RANGE_STATES },
      };
      const asked = { startMs, endMs, limit, nowMs };
      const query = plainQuery(given, asked, plain);
      const got = resultsOf(await collect(stored, given, asked, series));
      const problem = difference(got, plainAggregate(plain, query));
      if (problem) throw new Error(`seed ${seed}, case ${n}: ${problem}\n${JSON.stringify({ given, asked, plain })}`);
    }
  });
});

function plainQuery(given: Record<string, string>, asked: Asked, records: readonly PlainRecord[]): PlainQuery {
  const { startMs, endMs, limit, nowMs = 0 } = asked;
  const { periodic, zone, excluded, aggregate } = readOptions(given, nowMs);
  const first = records[0]?.timeMs ?? null;
  const last = records.at(-1)?.timeMs ?? null;
  const context = { nowMs: startMs ?? endMs ?? nowMs, zone, firstMs: first, lastMs: last };
  return {
    ...{ aggregate, excluded: [...(excluded ?? [])], startMs, endMs, limit, nowMs, zone: zone.name },
    isComplete: given.intervalInclude === 'COMPLETE',
    baseMs: periodic ? evaluateOpc(periodic.base, context) : 0,
    period: periodic?.period ?? { Y: 0, MO: 0, W: 0, D: 0, H: 1, M: 0, S: 0 },
  };
}

/** Times, presence, qualities and everything but sums and means have to be the same; those within 1e-12. */
function difference(got: readonly PlainResult[], expected: readonly PlainResult[]): string | undefined {
  if (got.length !== expected.length) return `${got.length} results instead of ${expected.length}`;
  for (const [n, want] of expected.entries()) {
    const have = got[n];
    const isSame =
      have?.timeMs === want.timeMs &&
      have.quality === want.quality &&
      (have.value === want.value ||
        (typeof have.value === 'number' &&
          typeof want.value === 'number' &&
          Math.abs(have.value - want.value) <= 1e-12 * Math.abs(want.value)));
    if (!isSame) return `result ${n}: ${JSON.stringify(have)} instead of ${JSON.stringify(want)}`;
  }
  return undefined;
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
