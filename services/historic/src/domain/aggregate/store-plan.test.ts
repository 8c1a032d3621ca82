import { seriesNode, TYPES } from '../../../test/series.ts';
import { DEFAULT_QUALITY, qualityTable } from '../quality.ts';
import { type Bucket, IntervalFolder } from './interval-folder.ts';
import { type StoreColumn, storePlan } from './store-plan.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T0 = Date.UTC(2024, 0, 1);

const column = (change: Partial<StoreColumn> = {}): StoreColumn => ({
  aggregate: 'AVERAGE',
  node: seriesNode(),
  renderType: 'VALUE',
  excluded: new Set(),
  quality: DEFAULT_QUALITY,
  ...change,
});
/** Intervals of these lengths, all of them asked for. */
const intervals = (lengths: readonly number[], fromMs = T0) => {
  const bounds = [fromMs];
  for (const length of lengths) bounds.push((bounds.at(-1) ?? 0) + length);
  return { bounds, fromMs, toMs: bounds.at(-1) ?? 0 };
};

test.each<[string, Partial<StoreColumn>, readonly number[], object | undefined]>([
  ['hours', {}, [HOUR, HOUR], { parts: [{ bucketMs: HOUR }], calls: ['count', 'sum'] }],
  ['sums of long intervals', {}, [DAY, DAY], { parts: [{ bucketMs: DAY / 4 }] }],
  ['sums of an odd length', {}, [743 * HOUR], { parts: [{ bucketMs: (743 * HOUR) / 125 }] }],
  ['sums of a length without divisors', {}, [86_399_981], undefined],
  [
    'extremes of long intervals',
    { aggregate: 'MAX' },
    [DAY, DAY],
    { parts: [{ bucketMs: DAY }], calls: ['count', 'max'] },
  ],
  ['months', { aggregate: 'MIN' }, [31 * DAY, 29 * DAY, 31 * DAY], { parts: [{ bucketMs: DAY }] }],
  [
    'intervals of an odd length',
    { aggregate: 'COUNT' },
    [420_000],
    { parts: [{ bucketMs: 420_000, offsetMs: T0 % 420_000 }] },
  ],
  ['a transform', { node: seriesNode({ series: { offset: 1 } }) }, [HOUR], { calls: ['count', 'sum', 'min', 'max'] }],
  ['medians', { aggregate: 'MEDIAN' }, [DAY, DAY], { parts: [{ bucketMs: DAY }] }],
  ['medians of months', { aggregate: 'MEDIAN' }, [31 * DAY, 29 * DAY], { parts: [{}, { bucketMs: 29 * DAY }] }],
  [
    'medians of ever other lengths',
    { aggregate: 'MEDIAN' },
    Array.from({ length: 101 }, (_, n) => (n % 2 ? DAY : 23 * HOUR)),
    undefined,
  ],
  [
    'ever other lengths',
    {},
    Array.from({ length: 101 }, (_, n) => (n % 2 ? DAY : 23 * HOUR)),
    { parts: [{ bucketMs: HOUR }] },
  ],
  ['transformed medians', { aggregate: 'MEDIAN', node: seriesNode({ series: { multiplier: 2 } }) }, [HOUR], undefined],
  ['what lies between records', { aggregate: 'INTERPOLATED' }, [HOUR], undefined],
  ['states', { aggregate: 'END', renderType: 'STATE' }, [HOUR], undefined],
  ['texts', { aggregate: 'END', node: seriesNode({ series: { valueType: TYPES.TEXT } }) }, [HOUR], undefined],
  ['without good records', { excluded: new Set(['GOOD']) }, [HOUR], undefined],
  ['without bad records', { excluded: new Set(['BAD']) }, [HOUR], { parts: [{ bucketMs: HOUR }] }],
  ['more buckets than are held', {}, Array.from({ length: 102 }, (_, n) => 1_000 * (1 + (n % 2)) * 997 + n), undefined],
])('%s', (_what, change, lengths, expected) => {
  const plan = storePlan(column(change), intervals(lengths));
  if (expected) expect(plan).toMatchObject(expected);
  else expect(plan).toBeUndefined();
});

describe('days on which a clock changes are asked for on their own', () => {
  const days = [DAY, DAY, 23 * HOUR, DAY, 25 * HOUR, DAY];
  const at = (index: number) => intervals(days).bounds[index] ?? 0;
  const partsOf = (change: Partial<StoreColumn>, range: object = {}) =>
    storePlan(column(change), { ...intervals(days), ...range })?.parts.map(({ fromMs, toMs, bucketMs, offsetMs }) => [
      fromMs,
      toMs,
      bucketMs / HOUR,
      offsetMs / HOUR,
    ]);
  const phase = (index: number, hours: number) => ((at(index) / HOUR) % hours) + 0;

  test.each<[string, Partial<StoreColumn>, readonly number[]]>([
    ['extremes', { aggregate: 'RANGE' }, [24, 23, 24, 25, 24]],
    ['medians', { aggregate: 'MEDIAN' }, [24, 23, 24, 25, 24]],
    ['sums', {}, [6, 5.75, 6, 5, 6]],
  ])('%s', (_what, change, hours) => {
    expect(partsOf(change)).toEqual(
      [0, 2, 3, 4, 5].map((from, n) => [at(from), at([2, 3, 4, 5, 6][n] ?? 0), hours[n], phase(from, hours[n] ?? 1)]),
    );
  });

  test('parts outside of the range are left out, others are cut to it', () => {
    const range = { fromMs: at(2) + HOUR, toMs: at(3) + HOUR };
    expect(partsOf({ aggregate: 'END' }, range)).toEqual([
      [at(2) + HOUR, at(3), 23, phase(2, 23)],
      [at(3), at(3) + HOUR, 24, phase(3, 24)],
    ]);
  });
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
    ...{ startMs: T0 + hour * HOUR, count, sum, ...NONE, isPlain: true, hasNegatives: false },
    ...change,
  });
  const fold = (buckets: readonly Bucket[], series = {}) => {
    const folder = new IntervalFolder('TOTAL', seriesNode({ series }), intervals([2 * HOUR, 2 * HOUR]).bounds);
    for (const one of buckets) folder.add(one);
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
  ])('%s leave an interval open', (_what, one, series) => {
    expect(fold([one], series).open).toEqual([1]);
  });

  test('a result from the records takes the place', () => {
    const folder = new IntervalFolder('TOTAL', seriesNode(), intervals([HOUR]).bounds);
    folder.finish();
    folder.settle(0, { value: 3, quality: 149 });
    expect(folder.outcome(0)).toEqual({ value: 3, quality: 149 });
  });
});
