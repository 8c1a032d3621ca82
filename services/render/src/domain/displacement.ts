import { CHART_SETTINGS } from '@catchment/chart-settings';
import { tryParseInstantMs, UTC_ZONE } from '@catchment/time';
import type { AxisSettings, ProfileStyle, ProfileThreshold } from './chart.ts';
import { attributesOf, type Given, type Link } from './chart-node.ts';
import type { Records } from './chart-series.ts';
import { type ChartAggregation, readChartAggregation } from './chart-settings.ts';
import { readAxis } from './historic-chart.ts';
import { ramp } from './ramp.ts';

/** A displacement chart has these attributes (docs/reference/charts.md#displacement-node). */
export type Displacement = {
  readonly isVertical: boolean;
  readonly maxSeries: number;
  readonly seriesTimeFormat: string;
  readonly baseline: (typeof BASELINES)[number];
  /** RELATIVE_FIXED has a baseline at this time. */
  readonly baselineTimeMs: number | undefined;
  readonly process: (typeof PROCESSES)[number];
  readonly offset: number;
  readonly xAxis: AxisSettings;
  readonly yAxis: AxisSettings;
  readonly thresholds: readonly ProfileThreshold[];
  readonly colorOf: (index: number, count: number) => string;
  readonly style: ProfileStyle;
  readonly aggregation: ChartAggregation;
  readonly measurements: readonly Link[];
  readonly profile: Profile;
};

/** Says where the n-th measurement lies: the same at all times, or as parameters say. */
type Profile =
  | { readonly kind: 'FIXED'; readonly positions: readonly number[] }
  | { readonly kind: 'PARAMETERS'; readonly links: readonly Link[]; readonly offset: number };

const BASELINES = ['ABSOLUTE', 'RELATIVE_RANGE', 'RELATIVE_FIRST', 'RELATIVE_FIXED'] as const;
const PROCESSES = ['RAW', 'SUM_START', 'SUM_END'] as const;

export function readDisplacement(given: Given): Displacement {
  const read = attributesOf(given);
  const isVertical = read.choice('orientation', ['VERTICAL', 'HORIZONTAL']) === 'VERTICAL';
  const measurements = read.links('measurementLinks');
  const measured = titled('Displacement', read.text('measurementUnits'));
  const along = titled(isVertical ? 'Depth' : 'Distance', read.text('profileUnits'));
  const axis = (name: 'xAxis' | 'yAxis', title: string): AxisSettings => {
    // Depths grow downwards.
    const isDepth = name === 'yAxis' && isVertical;
    const axis = readAxis(read.object(name), name === 'xAxis' ? ['BOTTOM', 'TOP'] : ['LEFT', 'RIGHT'], isDepth);
    return { ...axis, name: axis.name || title };
  };
  const colors = read.texts('colors');
  return {
    isVertical,
    maxSeries: read.number('maxSeries', 10),
    seriesTimeFormat: read.text('seriesTimeFormat', 'YYYY-MM-DD HH:mm:ss'),
    baseline: read.choice('baseline', BASELINES),
    baselineTimeMs: tryParseInstantMs(read.text('baselineTime'), { zone: UTC_ZONE }),
    process: read.choice('process', PROCESSES),
    offset: read.number('measurementOffset', 0),
    xAxis: axis('xAxis', isVertical ? measured : along),
    yAxis: axis('yAxis', isVertical ? along : measured),
    thresholds: read.objects('thresholds').map(readThreshold),
    colorOf: (index, count) => {
      const color = colors[index % Math.max(colors.length, 1)];
      return color === undefined || color === 'AUTOMATIC' ? (ramp(count)[index] ?? '') : color;
    },
    style: {
      lineType: read.choice('lineType', ['NORMAL', 'SPLINE']),
      lineWidth: read.number('lineWidth', 2),
      lineStyle: read.choice('lineStyle', CHART_SETTINGS.lineStyle.of),
      markerType: given.markerType === undefined ? 'CIRCLE' : read.choice('markerType', CHART_SETTINGS.markerType.of),
      markerSize: read.number('markerSize', 3),
      shadow: read.flag('shadow', false),
    },
    aggregation: readChartAggregation(given),
    measurements,
    profile: readProfile(given, measurements.length),
  };
}

const titled = (name: string, units: string): string => (units === '' ? name : `${name} [${units}]`);

function readProfile(given: Given, count: number): Profile {
  const read = attributesOf(given);
  switch (read.choice('profileType', ['FIXED_INCREMENTAL', 'FIXED_MANUAL', 'PARAMETER'])) {
    case 'PARAMETER':
      return { kind: 'PARAMETERS', links: read.links('profileLinks'), offset: read.number('profileOffset', 0) };
    case 'FIXED_MANUAL':
      return { kind: 'FIXED', positions: read.numbers('profileValues') };
    case 'FIXED_INCREMENTAL': {
      const [start, increment] = [read.number('start', 0), read.number('increment', 1)];
      return { kind: 'FIXED', positions: Array.from({ length: count }, (_, n) => start + n * increment) };
    }
  }
}

function readThreshold(given: Given): ProfileThreshold {
  const { text, flag, choice, number } = attributesOf(given);
  const isLine = choice('type', ['LINE', 'BAND']) === 'LINE';
  return {
    name: text('name'),
    showLabel: flag('showLabel', true),
    orientation: choice('orientation', ['VERTICAL', 'HORIZONTAL']),
    from: number(isLine ? 'value' : 'start', Number.NaN),
    to: number(isLine ? 'value' : 'end', Number.NaN),
    lineStyle: choice('lineStyle', CHART_SETTINGS.lineStyle.of),
    color: text('color', 'AUTOMATIC'),
  };
}

/** Returns the instants at which all have a record, ascending. */
export function commonTimes(series: readonly Pick<Records, 'timestamps'>[]): number[] {
  const [first, ...others] = series;
  if (!first) return [];
  const places = others.map(() => 0);
  return [...first.timestamps].filter((t) =>
    others.every(({ timestamps }, index) => {
      let place = places[index] as number;
      while (place < timestamps.length && (timestamps[place] as number) < t) place++;
      places[index] = place;
      return timestamps[place] === t;
    }),
  );
}

/** Thins to at most `max` items, evenly; the first and the last are kept. */
export function thinned<T>(all: readonly T[], max: number): T[] {
  if (all.length <= max) return [...all];
  if (max === 1) return all.slice(-1);
  return Array.from({ length: max }, (_, n) => all[Math.round((n * (all.length - 1)) / (max - 1))] as T);
}

/** Returns the value of each series at an instant; NaN where it has none there, or where the series is missing. */
export const valuesAt = (series: readonly (Records | undefined)[], t: number): Float64Array =>
  Float64Array.from(series, (line) => {
    if (!line) return Number.NaN;
    const index = lastAtOrBefore(line.timestamps, t);
    return line.timestamps[index] === t ? (line.values[index] as number) : Number.NaN;
  });

/** Returns the same as `valuesAt`, with the value before where there is none at the instant. */
export const valuesUntil = (series: readonly (Records | undefined)[], t: number): Float64Array =>
  Float64Array.from(series, (line) => line?.values[lastAtOrBefore(line.timestamps, t)] ?? Number.NaN);

/** -1 = none. */
function lastAtOrBefore(timestamps: Float64Array, t: number): number {
  let [low, high] = [0, timestamps.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timestamps[middle] as number) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Running totals, from the first or the last point on. From a point without value on there is no total. */
export function processed(values: Float64Array, process: Displacement['process']): Float64Array {
  if (process === 'RAW') return values;
  const result = new Float64Array(values.length);
  let total = 0;
  for (let n = 0; n < values.length; n++) {
    const index = process === 'SUM_START' ? n : values.length - 1 - n;
    total += values[index] as number;
    result[index] = total;
  }
  return result;
}

/**
 * Returns what is drawn of a processed series: relative to a baseline where there is to be one, and with the offset.
 */
export const measured = (values: Float64Array, baseline: Float64Array | undefined, offset: number): Float64Array =>
  values.map((value, index) => value - (baseline?.[index] ?? 0) + offset);
