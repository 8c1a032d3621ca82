import { invalid } from '@catchment/errors';
import { AGGREGATES_OF_ANYTHING } from '@catchment/query';
import { DAY_MS } from '@catchment/time';
import type { SeriesValues } from './chart.ts';
import type { ChartAggregation, ChartSettings } from './chart-settings.ts';

/** Arguments of a read of an aggregate, by documented name. */
export type AggregateArguments = Readonly<Record<string, string>>;

type Automatic = {
  readonly aggregate: string;
  readonly percentile?: string | undefined;
  readonly intervalInclude: string;
};

/** The records of a series become fewer like this, or not at all. */
export type Reduction =
  | { readonly kind: 'RAW' }
  /** Raw up to MAX_RAW of them, otherwise those that stand out in each pixel column: the line is that of all records. */
  | { readonly kind: 'OUTLINE' }
  /** Raw up to MAX_RAW of them, otherwise intervals that fit the range. */
  | ({ readonly kind: 'AUTOMATIC' } & Automatic)
  | { readonly kind: 'GIVEN'; readonly arguments: AggregateArguments };

/** Records, or intervals, that a chart shows without further ado (docs/reference/charts.md#automatic-aggregation). */
export const MAX_RAW = 1200;

const OF_ANYTHING: readonly string[] = ['NONE', ...AGGREGATES_OF_ANYTHING];
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** docs/reference/charts.md#automatic-aggregation: ascending; months and years by their mean length. */
const PERIODS: readonly (readonly [interval: string, ms: number, baseTime: string])[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => [`${n}S`, n * SECOND_MS, 'D'] as const),
  ...[1, 2, 5, 10, 15, 30].map((n) => [`${n}M`, n * MINUTE_MS, 'D'] as const),
  ...[1, 2, 3, 6, 12].map((n) => [`${n}H`, n * HOUR_MS, 'D'] as const),
  ...[1, 2].map((n) => [`${n}D`, n * DAY_MS, 'D'] as const),
  ['1W', 7 * DAY_MS, 'W'],
  ['1MO', 30.436875 * DAY_MS, 'MO'],
  ['3MO', 91.310625 * DAY_MS, 'Y'],
];

/** Returns the aggregate whose results may take the place of records. */
export function aggregateIn(reduction: Reduction): string {
  if (reduction.kind === 'GIVEN') return reduction.arguments.aggregate ?? 'NONE';
  return reduction.kind === 'AUTOMATIC' ? reduction.aggregate : 'NONE';
}

/** Returns the label of a picture that shows results in place of records, such as `AVERAGE, 1D`. */
export function describeAggregate({ aggregate, percentile, interval }: AggregateArguments): string {
  const name = aggregate === 'PERCENTILE' ? `${aggregate}(${percentile})` : `${aggregate}`;
  return aggregate === 'CHANGE' || interval === undefined ? name : `${name}, ${interval.toUpperCase()}`;
}

/** Returns the aggregate that is read instead of more than `MAX_RAW` records of the range. */
export function automaticArguments(
  { aggregate, percentile, intervalInclude }: Automatic,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): AggregateArguments {
  const [interval, , baseTime] = PERIODS.find(([, ms]) => (endMs - startMs) / ms <= MAX_RAW) ?? ['1Y', 0, 'Y'];
  return { aggregate, ...(percentile !== undefined && { percentile }), interval, baseTime, intervalInclude };
}

/**
 * Returns what arguments, or else the parameter's settings (docs/reference/parameters.md#chart-settings,
 * docs/reference/charts.md#automatic-aggregation), ask for.
 * @param given from the request; with aggregate these are all there is
 * @throws DomainError invalid_argument for an aggregate of numbers where states or texts are shown
 */
export function reductionOf(
  kind: SeriesValues['kind'],
  settings: Pick<ChartSettings, 'kind' | 'lineType'>,
  { mode, type, percentile, period, interval, baseTime, intervalInclude }: ChartAggregation,
  given: AggregateArguments | undefined,
): Reduction {
  const suits = (aggregate: string) => kind === 'VALUES' || OF_ANYTHING.includes(aggregate);
  if (given) {
    const { aggregate = 'NONE' } = given;
    if (!suits(aggregate))
      throw invalid('INVALID_ARGUMENT', `aggregate must be one of ${OF_ANYTHING.join(', ')} where states are shown`);
    return aggregate === 'NONE' ? { kind: 'RAW' } : { kind: 'GIVEN', arguments: given };
  }
  if (mode === 'RAW') return { kind: 'RAW' };
  // Columns stand for intervals, and a smooth curve through outstanding records would be that of no records.
  const isLine = kind === 'VALUES' && settings.kind === 'LINE' && settings.lineType !== 'SPLINE';
  if (mode === 'AUTOMATIC' && isLine) return { kind: 'OUTLINE' };
  // The settings may be of values where the request asks for states.
  const chosen = mode === 'CUSTOM' && type !== undefined && suits(type) ? type : undefined;
  const aggregate = chosen ?? (kind === 'VALUES' ? 'INTERPOLATED' : 'START');
  if (aggregate === 'CHANGE') return { kind: 'GIVEN', arguments: { aggregate } };
  const which = { aggregate, ...(aggregate === 'PERCENTILE' && percentile !== undefined && { percentile }) };
  if (period === 'FIXED' && interval !== undefined && baseTime !== undefined)
    return { kind: 'GIVEN', arguments: { ...which, interval, baseTime, intervalInclude } };
  return { kind: 'AUTOMATIC', ...which, intervalInclude };
}
