import { inRange } from '@catchment/dashboard-view';
import { invalid } from '@catchment/errors';
import { matchState } from '@catchment/states';
import type { ChartSeries, ChartState, SeriesValues } from './chart.ts';
import { type ChartSettings, readChartAggregation, readChartSettings } from './chart-settings.ts';
import type { Parameter, ParameterState } from './parameter.ts';
import { type AggregateArguments, aggregateIn, type Reduction, reductionOf } from './reduction.ts';

/**
 * The values of a parameter are shown as numbers, a stepped line over state names, or flags
 * (docs/reference/parameters.md#types, docs/reference/reading.md#order-of-steps).
 */
export type Rendering = {
  readonly kind: SeriesValues['kind'];
  readonly settings: ChartSettings;
  /** The first value is subtracted from all (docs/reference/reading.md#order-of-steps). */
  readonly isRelative: boolean;
  readonly reduction: Reduction;
};

/** Records from historic, transformed; one entry per record, or result of an aggregate, in each column. */
export type Records = {
  readonly timestamps: Float64Array;
  /** Values are numbers (NaN = none) or the indexes of states (-1 = none). */
  readonly values: Float64Array | Int32Array;
  readonly qualities?: Int32Array;
  /** Values are results of an aggregate, not records. */
  readonly isAggregate?: boolean;
  /** There are more records in the range. */
  readonly isCut?: boolean;
  /** The series has all records of the range, where those that stand out would have done. */
  readonly isWhole?: boolean;
  /** A line is drawn over steps of at most this; absent = any. */
  readonly gapMs?: number;
};

/**
 * Settles what the arguments and the parameter's settings ask for.
 * @throws DomainError invalid_argument for a RELATIVE baseline, or an aggregate of numbers, of anything but numbers shown
 *   as values
 */
export function renderingOf(
  parameter: Parameter,
  asked: {
    readonly renderType?: 'VALUE' | 'STATE';
    readonly baselineType?: 'ABSOLUTE' | 'RELATIVE';
    readonly aggregation?: AggregateArguments;
  },
): Rendering {
  const renderType = asked.renderType ?? parameter.displayType;
  const kind = parameter.valueType === 'TEXT' ? 'FLAGS' : renderType === 'STATE' ? 'STEPS' : 'VALUES';
  if (asked.baselineType === 'RELATIVE' && kind !== 'VALUES') {
    throw invalid('INVALID_ARGUMENT', 'baselineType must be ABSOLUTE unless numbers are shown as values');
  }
  const settings = readChartSettings(parameter.chart, renderType);
  const isRelative = kind === 'VALUES' && (asked.baselineType ?? settings.baselineType) === 'RELATIVE';
  const reduction = reductionOf(kind, settings, readChartAggregation(parameter.chart), asked.aggregation);
  return { kind, settings, isRelative, reduction };
}

/** Returns the state of a value by its position in the parameter's list, -1 = none (docs/reference/states.md#matching). */
export function stateIndexOf({ states }: Parameter, value: number | string): number {
  const state = matchState(states, value);
  return state === undefined ? -1 : states.states.indexOf(state);
}

/** Returns records as a series of a chart of `startMs` … `endMs`. */
export function chartSeriesOf(
  parameter: Parameter,
  { kind, settings, isRelative, reduction }: Rendering,
  records: Records,
  range: { readonly startMs: number; readonly endMs: number },
): ChartSeries {
  const { name, path, units } = parameter;
  const isCount = aggregateIn(reduction) === 'COUNT' && records.isAggregate === true;
  const base = {
    name,
    path,
    units: kind === 'VALUES' && !isCount ? units : '',
    settings: isRelative || isCount ? { ...settings, stateThresholds: 'NONE' as const } : settings,
    timestamps: records.timestamps,
    ...(records.gapMs !== undefined && { gapMs: records.gapMs }),
    ...(records.qualities && { qualities: records.qualities }),
  };
  const states = parameter.states.states.map(chartState);
  if (isCount) {
    // A line has a gap where there is nothing (docs/reference/charts.md#drawing-of-series).
    const counts = Float64Array.from(records.values, (count) => (count === 0 ? Number.NaN : count));
    return {
      ...base,
      states,
      data: { kind: 'VALUES', values: isRelative ? relativeTo(records.timestamps, counts, range) : counts },
    };
  }
  if (kind === 'FLAGS') return { ...base, states, data: { kind, stateIndexes: Int32Array.from(records.values) } };
  const values = Float64Array.from(records.values);
  if (kind === 'VALUES') {
    return {
      ...base,
      states,
      data: { kind, values: isRelative ? relativeTo(records.timestamps, values, range) : values },
    };
  }
  const order = byThreshold(states);
  const rank = states.map((state) => order.indexOf(state));
  const indexOf = records.values instanceof Int32Array ? Number : (value: number) => stateIndexOf(parameter, value);
  const stateIndexes = Int32Array.from(values, (value) => rank[indexOf(value)] ?? -1);
  return { ...base, states: order, data: { kind, stateIndexes } };
}

const chartState = ({ name, threshold, isAlarm, notifies }: ParameterState): ChartState => ({
  name,
  ...(threshold !== undefined && { threshold }),
  isAlarm,
  notifies,
});

/** A discrete list may have any order; on an axis the higher value stands higher. A RANGE is in order already. */
function byThreshold(states: readonly ChartState[]): ChartState[] {
  if (states.some(({ threshold }) => threshold === undefined)) return [...states];
  return states.toSorted((a, b) => (a.threshold ?? 0) - (b.threshold ?? 0));
}

function relativeTo(
  timestamps: Float64Array,
  values: Float64Array,
  range: { startMs: number; endMs: number },
): Float64Array {
  const { from, to } = inRange(timestamps, range.startMs, range.endMs);
  const baseline = values.subarray(from, to).find((value) => !Number.isNaN(value));
  return baseline === undefined ? values : values.map((value) => value - baseline);
}
