import { type AxisSettings, type ChartSeries, type ChartState, PLAIN_AXIS } from './chart.ts';
import { attributesOf, type Given, type Link } from './chart-node.ts';
import type { GivenChart } from './chart-settings.ts';
import type { Parameter } from './parameter.ts';

/** The chart has several series (docs/reference/charts.md#historic-chart-node). */
export type HistoricChart = {
  readonly timeAxis: 'BOTTOM' | 'TOP';
  readonly axes: readonly AxisSettings[];
  readonly links: readonly (Pick<Link, 'nodeId' | 'name'> & { readonly axis: number; readonly chart: GivenChart })[];
};

export function readHistoricChart(given: Given): HistoricChart {
  const read = attributesOf(given);
  const givenAxes = read.objects('yAxes');
  const axes = (givenAxes.length > 0 ? givenAxes : [{}]).map((axis) => readAxis(axis, ['LEFT', 'RIGHT'], false));
  return {
    timeAxis: attributesOf(read.object('xAxis')).choice('position', ['BOTTOM', 'TOP']),
    axes,
    links: read.links('links').map((link) => {
      const { number, object } = attributesOf(link);
      const axis = number('yAxisIndex', 0);
      return {
        nodeId: link.nodeId,
        name: link.name,
        axis: axis < axes.length ? axis : 0,
        chart: drawnAs(object('chart')),
      };
    }),
  };
}

/** Reads an axis as its node has it. @param inverted where the node does not say */
export function readAxis(
  given: Given,
  positions: readonly [AxisSettings['position'], ...AxisSettings['position'][]],
  inverted: boolean,
): AxisSettings {
  const { text, flag, choice, optional } = attributesOf(given);
  const [minimum, maximum, tickInterval] = [optional('minimum'), optional('maximum'), optional('tickInterval')];
  return {
    name: text('name'),
    showLabel: flag('showLabel', true),
    position: choice('position', positions),
    range: choice('range', ['LINEAR_AUTOMATIC', 'LINEAR_FIXED', 'LOGARITHMIC']),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(tickInterval !== undefined && { tickInterval }),
    inverted: flag('inverted', inverted),
  };
}

/** Settings as other services name them: `type` in the place of the public `_class`, whatever its prefix. */
function drawnAs({ _class, ...settings }: Given): GivenChart {
  const type = typeof _class === 'string' ? _class.split('.').at(-1) : undefined;
  return { ...(type !== undefined && { type }), ...settings };
}

/** More would leave no room for the plot; what is beyond shares the last. */
const MAX_AXES = 4;

/** Makes an axis for each of the units, the first on the left. */
export function axesByUnits(parameters: readonly Parameter[]): {
  readonly axes: readonly AxisSettings[];
  readonly axisOf: (parameter: Parameter) => number;
} {
  const units = [...new Set(parameters.map((parameter) => parameter.units))];
  const axes = units
    .slice(0, MAX_AXES)
    .map((_, index): AxisSettings => ({ ...PLAIN_AXIS, position: index === 0 ? 'LEFT' : 'RIGHT' }));
  return { axes, axisOf: (parameter) => Math.min(units.indexOf(parameter.units), MAX_AXES - 1) };
}

/**
 * Returns series and their axes such that each axis is of one kind: states beside values go to a separate axis, and series of
 * states that share one agree on its places.
 */
export function settleAxes(
  series: readonly ChartSeries[],
  axes: readonly AxisSettings[],
): { readonly series: readonly ChartSeries[]; readonly axes: readonly AxisSettings[] } {
  const on = (axis: number, kind: ChartSeries['data']['kind']) =>
    series.filter((line) => (line.axis ?? 0) === axis && line.data.kind === kind && !line.isMissing);
  const isMixed = (axis: number): boolean => on(axis, 'VALUES').length > 0 && on(axis, 'STEPS').length > 0;
  const isMoved = ({ data, axis = 0 }: ChartSeries): boolean => data.kind === 'STEPS' && isMixed(axis);
  const stepsAxis: AxisSettings = {
    name: '',
    showLabel: true,
    position: 'RIGHT',
    range: 'LINEAR_AUTOMATIC',
    inverted: false,
  };
  const all = series.some(isMoved) ? [...axes, stepsAxis] : axes;
  const moved = series.map((line) => (isMoved(line) ? { ...line, axis: axes.length } : line));
  const shared = all.map((_, axis) => statesOf(moved.filter((line) => (line.axis ?? 0) === axis)));
  return { axes: all, series: moved.map((line) => withStates(line, shared[line.axis ?? 0] ?? [])) };
}

/** Returns all states of the series of one axis, each name once. */
function statesOf(series: readonly ChartSeries[]): ChartState[] {
  const byName = new Map<string, ChartState>();
  for (const { data, states } of series)
    if (data.kind === 'STEPS') for (const state of states) if (!byName.has(state.name)) byName.set(state.name, state);
  return [...byName.values()];
}

function withStates(series: ChartSeries, states: readonly ChartState[]): ChartSeries {
  if (series.data.kind !== 'STEPS') return series;
  const places = series.states.map(({ name }) => states.findIndex((state) => state.name === name));
  const stateIndexes = series.data.stateIndexes.map((index) => places[index] ?? -1);
  return { ...series, states, data: { kind: 'STEPS', stateIndexes } };
}
