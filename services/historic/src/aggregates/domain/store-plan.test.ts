import { DEFAULT_TABLE, qualityTable } from '@catchment/quality';
import { seriesNode, TYPES } from '../../../test/series.ts';
import { type Bucket, IntervalFolder, IntervalResults } from './interval-folder.ts';
import { type StoreColumn, storePlan } from './store-plan.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const T0 = Date.UTC(2024, 0, 1);

const column = (change: Partial<StoreColumn> = {}): StoreColumn => ({
  aggregate: 'AVERAGE',
  node: seriesNode(),
  renderType: 'VALUE',
  excluded: new Set(),
  quality: DEFAULT_TABLE,
  ...change,
});
/** Returns intervals of these lengths, all of them requested. */
const intervals = (lengths: readonly number[], fromMs = T0) => {
  const bounds = [fromMs];
  for (const length of lengths) bounds.push((bounds.at(-1) ?? 0) + length);
  return { bounds, fromMs, toMs: bounds.at(-1) ?? 0 };
};

const EVER_OTHER = Array.from({ length: 400 }, (_, n) => (n % 3 ? DAY : 25 * HOUR));

test.each<[string, Partial<StoreColumn>, readonly number[], object | undefined]>([
  ['hours', {}, [HOUR, HOUR], { runs: [{ bucketMs: HOUR }], calls: ['count', 'sum'] }],
  ['sums of long intervals', {}, [DAY, DAY], { runs: [{ bucketMs: DAY / 4 }] }],
  ['sums of an odd length', {}, [743 * HOUR], { runs: [{ bucketMs: (743 * HOUR) / 125 }] }],
  ['sums of a length without divisors', {}, [86_399_981], undefined],
  [
    'extremes of long intervals',
    { aggregate: 'MAX' },
    [DAY, DAY],
    { runs: [{ bucketMs: DAY }], calls: ['count', 'max'] },
  ],
  ['months', { aggregate: 'MIN' }, [31 * DAY, 29 * DAY, 31 * DAY], { runs: [{ bucketMs: DAY }] }],
  [
    'intervals of an odd length',
    { aggregate: 'COUNT' },
    [420_000],
    { runs: [{ bucketMs: 420_000, offsetMs: T0 % 420_000 }] },
  ],
  ['a transform', { node: seriesNode({ series: { offset: 1 } }) }, [HOUR], { calls: ['count', 'sum', 'min', 'max'] }],
  ['medians', { aggregate: 'MEDIAN' }, [DAY, DAY], { runs: [{ bucketMs: DAY }] }],
  ['medians of months', { aggregate: 'MEDIAN' }, [31 * DAY, 29 * DAY], { runs: [{ bucketMs: 31 * DAY, end: 2 }] }],
  [
    'medians of longer and longer months',
    { aggregate: 'MEDIAN' },
    [29 * DAY, 31 * DAY],
    { runs: [{ end: 1 }, { end: 2 }] },
  ],
  ['medians of ever other lengths', { aggregate: 'MEDIAN' }, EVER_OTHER, undefined],
  ['a century', { aggregate: 'MIN' }, [100 * YEAR], { runs: [{ bucketMs: 100 * YEAR }] }],
  ['buckets that InfluxDB would have to end after its last time', { aggregate: 'MIN' }, [292 * YEAR], undefined],
  ['an interval without an end', { aggregate: 'COUNT' }, [Number.POSITIVE_INFINITY], undefined],
  [
    'ever other lengths',
    {},
    EVER_OTHER,
    {
      runs: [
        { bucketMs: HOUR, end: 200 },
        { bucketMs: HOUR, first: 200, end: 400 },
      ],
    },
  ],
  ['transformed medians', { aggregate: 'MEDIAN', node: seriesNode({ series: { multiplier: 2 } }) }, [HOUR], undefined],
  ['what lies between records', { aggregate: 'INTERPOLATED' }, [HOUR], undefined],
  ['states', { aggregate: 'END', renderType: 'STATE' }, [HOUR], undefined],
  ['texts', { aggregate: 'END', node: seriesNode({ series: { valueType: TYPES.TEXT } }) }, [HOUR], undefined],
  ['without good records', { excluded: new Set(['GOOD']) }, [HOUR], undefined],
  ['without bad records', { excluded: new Set(['BAD']) }, [HOUR], { runs: [{ bucketMs: HOUR }] }],
  ['more buckets than are held', {}, Array.from({ length: 300 }, (_, n) => 1_000 * (1 + (n % 2)) * 997 + n), undefined],
])('%s', (_what, change, lengths, expected) => {
  const plan = storePlan(column(change), intervals(lengths));
  if (expected) expect(plan).toMatchObject(expected);
  else expect(plan).toBeUndefined();
});

describe('days on which a clock changes end a run of others', () => {
  const days = [DAY, DAY, 23 * HOUR, DAY, 25 * HOUR, DAY];
  const at = (index: number) => intervals(days).bounds[index] ?? 0;
  const runsOf = (change: Partial<StoreColumn>, range: object = {}) =>
    storePlan(column(change), { ...intervals(days), ...range })?.runs;
  const run = (first: number, end: number, hours: number) => {
    const bucketMs = hours * HOUR;
    return { first, end, fromMs: at(first), toMs: at(end), bucketMs, offsetMs: at(first) % bucketMs };
  };

  test('extremes', () => {
    expect(runsOf({ aggregate: 'RANGE' })).toEqual([run(0, 3, 24), run(3, 5, 24), run(5, 6, 24)]);
  });

  test('sums', () => {
    expect(runsOf({ aggregate: 'AVERAGE' })).toEqual([run(0, 3, 6), run(3, 5, 6), run(5, 6, 6)]);
  });

  test('medians: a day of 25 hours is no single bucket of 24', () => {
    expect(runsOf({ aggregate: 'MEDIAN' })).toEqual([run(0, 3, 24), run(3, 4, 24), run(4, 6, 25)]);
  });

  test('what is not asked for is cut off', () => {
    const range = { fromMs: at(2) + HOUR, toMs: at(3) + HOUR };
    const [first, second, third] = runsOf({ aggregate: 'END' }, range) ?? [];
    expect([first, second]).toMatchObject([
      { fromMs: at(2) + HOUR, toMs: at(3) },
      { fromMs: at(3), toMs: at(3) + HOUR },
    ]);
    expect((third?.fromMs ?? 0) >= (third?.toMs ?? 0)).toBe(true);
  });
});

test('a long run is two', () => {
  const hours = intervals(Array(8_760).fill(HOUR));
  const [first, second] = storePlan(column(), hours)?.runs ?? [];
  expect([first, second]).toMatchObject([
    { first: 0, end: 4_380, fromMs: T0, bucketMs: HOUR },
    { first: 4_380, end: 8_760, fromMs: first?.toMs, toMs: hours.toMs, bucketMs: HOUR },
  ]);
});

test('where records without quality are not good, the service computes', () => {
  const quality = qualityTable({ excluded: [], unspecified: 'BAD', unknown: 'UNCERTAIN', codes: [] });
  expect(storePlan(column({ quality }), intervals([HOUR]))).toBeUndefined();
});

test('times before 1970 are left to the service', () => {
  expect(storePlan(column(), intervals([HOUR], -HOUR))).toBeUndefined();
});

describe('buckets put together', () => {
  const NONE = { min: Number.NaN, max: Number.NaN, first: Number.NaN, last: Number.NaN, median: Number.NaN };
  const bucket = (hour: number, count: number, sum: number, change: Partial<Bucket> = {}): Bucket => ({
    startMs: T0 + hour * HOUR,
    count,
    sum,
    ...NONE,
    isPlain: true,
    hasNegatives: false,
    ...change,
  });
  const fold = (buckets: readonly Bucket[], series = {}) => {
    const folder = new IntervalFolder('TOTAL', seriesNode({ series }), intervals([2 * HOUR, 2 * HOUR]).bounds);
    for (const bucket of buckets) folder.add(bucket);
    folder.finish();
    return { values: [folder.outcome(0), folder.outcome(1)], open: folder.open };
  };

  test('sums of the parts, and intervals without a record', () => {
    expect(fold([bucket(0, 2, 5), bucket(1, 1, 0.5)])).toEqual({
      values: [
        { value: 5.5, quality: undefined },
        { value: undefined, quality: 165 },
      ],
      open: [],
    });
  });

  test.each<[string, Bucket, object]>([
    ['records with anything besides', bucket(2, 1, 1, { isPlain: false }), {}],
    ['only deleted records', bucket(2, Number.NaN, Number.NaN, { isPlain: false }), {}],
    ['numbers below 0', bucket(2, 2, 1, { hasNegatives: true }), {}],
    ['so many that digits are lost', bucket(2, 10_000, 1), {}],
    ['an offset that nearly cancels the sum', bucket(2, 10, 1_000, { min: 100, max: 100 }), { offset: -100.000_001 }],
    ['a transform that leaves no number', bucket(2, 1, 1e308, { min: 1e308, max: 1e308 }), { multiplier: 100 }],
  ])('%s leave an interval open', (_what, bucket, series) => {
    expect(fold([bucket], series).open).toEqual([1]);
  });

  test('results of neighbours are one list, in which what the records say takes the place', () => {
    const part = (lengths: readonly number[], fromMs: number, buckets: readonly Bucket[]) => {
      const folder = new IntervalFolder('TOTAL', seriesNode(), intervals(lengths, fromMs).bounds);
      for (const bucket of buckets) folder.add(bucket);
      return folder;
    };
    const results = new IntervalResults([
      part([HOUR, HOUR], T0, [bucket(0, 1, 5), bucket(1, 1, 1, { isPlain: false })]),
      part([HOUR], T0 + 2 * HOUR, []),
      part([HOUR, HOUR], T0 + 3 * HOUR, [bucket(4, 1, 1, { hasNegatives: true })]),
    ]);
    expect([results.length, results.open]).toEqual([5, [1, 4]]);
    for (const index of results.open) results.settle(index, { value: 10 + index, quality: 149 });
    expect(Array.from({ length: 5 }, (_, index) => results.outcome(index).value)).toEqual([
      5,
      11,
      undefined,
      undefined,
      14,
    ]);
    expect(() => results.outcome(-1)).toThrow(RangeError);
  });
});
