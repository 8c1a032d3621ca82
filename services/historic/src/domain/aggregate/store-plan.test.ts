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
  ['hours', {}, [HOUR, HOUR], { bucketMs: HOUR, calls: ['count', 'sum'] }],
  ['days of DST', {}, [DAY, 23 * HOUR, DAY], { bucketMs: HOUR }],
  ['sums of long intervals', {}, [DAY, DAY], { bucketMs: DAY / 4 }],
  ['extremes of long intervals', { aggregate: 'MAX' }, [DAY, DAY], { bucketMs: DAY, calls: ['count', 'max'] }],
  ['intervals of an odd length', { aggregate: 'COUNT' }, [420_000], { bucketMs: 420_000, offsetMs: T0 % 420_000 }],
  ['a transform', { node: seriesNode({ series: { offset: 1 } }) }, [HOUR], { calls: ['count', 'sum', 'min', 'max'] }],
  ['medians', { aggregate: 'MEDIAN' }, [DAY, DAY], { bucketMs: DAY }],
  ['medians of unequal intervals', { aggregate: 'MEDIAN' }, [DAY, 23 * HOUR], undefined],
  ['transformed medians', { aggregate: 'MEDIAN', node: seriesNode({ series: { multiplier: 2 } }) }, [HOUR], undefined],
  ['what lies between records', { aggregate: 'INTERPOLATED' }, [HOUR], undefined],
  ['states', { aggregate: 'END', renderType: 'STATE' }, [HOUR], undefined],
  ['texts', { aggregate: 'END', node: seriesNode({ series: { valueType: TYPES.TEXT } }) }, [HOUR], undefined],
  ['without good records', { excluded: new Set(['GOOD']) }, [HOUR], undefined],
  ['without bad records', { excluded: new Set(['BAD']) }, [HOUR], { bucketMs: HOUR }],
  ['more buckets than are held', {}, [...Array(5).fill(DAY), 1_000], undefined],
])('%s', (_what, change, lengths, expected) => {
  const plan = storePlan(column(change), intervals(lengths));
  if (expected) expect(plan).toMatchObject(expected);
  else expect(plan).toBeUndefined();
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
