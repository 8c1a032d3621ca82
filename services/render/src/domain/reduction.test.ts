import { readChartAggregation, readChartSettings } from './chart-settings.ts';
import { automaticArguments, describeAggregate, type Reduction, reductionOf } from './reduction.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const settings = (aggregation: object = {}) => readChartAggregation({ aggregation });
const automatic = (aggregate: string): Reduction => ({ kind: 'AUTOMATIC', aggregate, intervalInclude: 'PARTIAL' });

test.each([
  ['20 minutes', HOUR / 3, '1S', 'D'],
  ['20 minutes and a moment', HOUR / 3 + 1, '2S', 'D'],
  ['a day', DAY, '2M', 'D'],
  ['7 days', 7 * DAY, '10M', 'D'],
  ['31 days', 31 * DAY, '1H', 'D'],
  ['92 days', 92 * DAY, '2H', 'D'],
  ['a year', 365 * DAY, '12H', 'D'],
  ['two years', 731 * DAY, '1D', 'D'],
  ['five years', 1_826 * DAY, '2D', 'D'],
  ['20 years', 7_305 * DAY, '1W', 'W'],
  ['80 years', 29_220 * DAY, '1MO', 'MO'],
  ['200 years', 73_050 * DAY, '3MO', 'Y'],
  ['400 years', 146_100 * DAY, '1Y', 'Y'],
  ['nothing', 0, '1S', 'D'],
])(
  '%s is shown in intervals of at most 1200 (docs/reference/charts.md#automatic-aggregation)',
  (_what, lengthMs, interval, baseTime) => {
    const reduction = automatic('INTERPOLATED') as Extract<Reduction, { kind: 'AUTOMATIC' }>;
    expect(automaticArguments(reduction, { startMs: 5, endMs: 5 + lengthMs })).toEqual({
      aggregate: 'INTERPOLATED',
      interval,
      baseTime,
      intervalInclude: 'PARTIAL',
    });
  },
);

const FIXED = {
  mode: 'CUSTOM',
  type: 'MAX',
  period: 'FIXED',
  interval: '1H',
  baseTime: 'D',
  intervalInclude: 'COMPLETE',
};

const LINE = readChartSettings({}, 'VALUE');
const OUTLINE: Reduction = { kind: 'OUTLINE' };

test.each<[string, 'VALUES' | 'STEPS' | 'FLAGS', object, Record<string, string> | undefined, Reduction]>([
  ['values by default', 'VALUES', {}, undefined, OUTLINE],
  ['values at a fixed period that nobody chose', 'VALUES', { ...FIXED, mode: 'AUTOMATIC' }, undefined, OUTLINE],
  ['states by default', 'STEPS', {}, undefined, automatic('START')],
  ['texts by default', 'FLAGS', {}, undefined, automatic('START')],
  ['RAW', 'VALUES', { mode: 'RAW' }, undefined, { kind: 'RAW' }],
  ['a type', 'VALUES', { mode: 'CUSTOM', type: 'AVERAGE' }, undefined, automatic('AVERAGE')],
  ['a type that is not chosen', 'VALUES', { type: 'AVERAGE' }, undefined, OUTLINE],
  [
    'a type of values where states are shown',
    'STEPS',
    { mode: 'CUSTOM', type: 'AVERAGE' },
    undefined,
    automatic('START'),
  ],
  [
    'CHANGE',
    'STEPS',
    { mode: 'CUSTOM', type: 'CHANGE' },
    undefined,
    { kind: 'GIVEN', arguments: { aggregate: 'CHANGE' } },
  ],
  [
    'a percentile',
    'VALUES',
    { mode: 'CUSTOM', type: 'PERCENTILE', percentile: 99.5 },
    undefined,
    { kind: 'AUTOMATIC', aggregate: 'PERCENTILE', percentile: '99.5', intervalInclude: 'PARTIAL' },
  ],
  [
    'a percentile of a fixed period',
    'VALUES',
    { ...FIXED, type: 'PERCENTILE', percentile: 90 },
    undefined,
    {
      kind: 'GIVEN',
      arguments: {
        aggregate: 'PERCENTILE',
        percentile: '90',
        interval: '1H',
        baseTime: 'D',
        intervalInclude: 'COMPLETE',
      },
    },
  ],
  [
    'a fixed period',
    'VALUES',
    FIXED,
    undefined,
    { kind: 'GIVEN', arguments: { aggregate: 'MAX', interval: '1H', baseTime: 'D', intervalInclude: 'COMPLETE' } },
  ],
  [
    'a fixed period without its interval',
    'VALUES',
    { ...FIXED, interval: null },
    undefined,
    { ...automatic('MAX'), intervalInclude: 'COMPLETE' } as Reduction,
  ],
  ['NONE of the request before the settings', 'VALUES', FIXED, { aggregate: 'NONE' }, { kind: 'RAW' }],
  [
    'an aggregate of the request before the settings',
    'VALUES',
    { mode: 'RAW' },
    { aggregate: 'MIN', baseTime: 'D', interval: '2H' },
    { kind: 'GIVEN', arguments: { aggregate: 'MIN', baseTime: 'D', interval: '2H' } },
  ],
])('how records become fewer: %s', (_what, kind, aggregation, given, expected) => {
  expect(reductionOf(kind, LINE, settings(aggregation), given)).toEqual(expected);
});

test.each<[string, Record<string, unknown>, Reduction]>([
  ['a stepped line', { lineType: 'STEP_LEFT' }, OUTLINE],
  ['an area', { fillStyle: 'SOLID' }, OUTLINE],
  ['a smooth line', { lineType: 'SPLINE' }, automatic('INTERPOLATED')],
  ['columns', { type: 'ColumnChart' }, automatic('INTERPOLATED')],
])('automatically %s shows', (_what, chart, expected) => {
  expect(reductionOf('VALUES', readChartSettings(chart, 'VALUE'), settings(), undefined)).toEqual(expected);
});

test.each([{}, { aggregation: 5 }, { aggregation: { mode: 'X', type: 5, period: 'Y', interval: '' } }])(
  'settings that are not understood are the defaults: %j',
  (chart) => {
    expect(reductionOf('VALUES', LINE, readChartAggregation(chart), undefined)).toEqual(OUTLINE);
  },
);

test.each(['STEPS', 'FLAGS'] as const)('an aggregate of numbers is refused where %s are shown', (kind) => {
  expect(() => reductionOf(kind, LINE, settings(), { aggregate: 'AVERAGE', baseTime: 'D', interval: '1H' })).toThrow(
    'aggregate must be one of NONE, CHANGE, START, END, COUNT',
  );
});

test.each([
  [{ aggregate: 'AVERAGE', baseTime: 'D', interval: '1h30m' }, 'AVERAGE, 1H30M'],
  [{ aggregate: 'CHANGE' }, 'CHANGE'],
  [{ aggregate: 'CHANGE', baseTime: 'D', interval: '1H' }, 'CHANGE'],
])('a picture says of %j: %s', (given, text) => expect(describeAggregate(given)).toBe(text));
