import type { Mark, Spec } from 'vega';
import type { Chart, ChartScales, ChartSeries } from '../../../domain/chart.ts';
import { inRange } from '../../../domain/points.ts';
import { type SeriesShape, shapeOf } from '../../../domain/series-shape.ts';
import { columnMarks } from './column-marks.ts';
import { flagMarks } from './flag-marks.ts';
import { frameMarks } from './frame-marks.ts';
import { type Layout, layoutOf } from './layout.ts';
import { lineMarks, type SeriesMarks } from './line-marks.ts';
import { COLORS, primaryColor } from './palette.ts';
import { qualityMarks } from './quality-marks.ts';
import { thresholdMarks } from './threshold-marks.ts';
import { stateAxis, type ValueAxis, valueAxis } from './value-axis.ts';

export type BuiltChart = { readonly spec: Spec; readonly scales: ChartScales };

/**
 * The Vega specification of a chart (docs/reference/charts.md#chart-endpoint, docs/reference/charts.md#drawing-of-series).
 * Positions are pixels of the whole picture: no padding, no automatic size, so that `scales` says exactly where the data
 * lie. User texts travel in data sets only, never in expressions.
 * @param pixelColumns width of the picture in output pixels where it will be one (PNG, JPG): allows to leave out records
 *   that cannot be seen; undefined keeps a vertex per record
 * @param pieceVertices a solid line is drawn in pieces of so many vertices; undefined: as one path
 */
export function buildChart(chart: Chart, pixelColumns?: number, pieceVertices?: number): BuiltChart {
  const colors = chart.series.map(({ settings }, index) => primaryColor(settings, index));
  const { shapes, layout } = laidOut(chart, pixelColumns);
  const { plot, timeDomain, valueAxis: axis } = layout;
  const frame = frameMarks(chart, layout, colors);
  const drawn = chart.series.map((series, index) =>
    seriesMarks(series, shapes[index] as SeriesShape, index, layout, { ...chart, pieceVertices }),
  );
  const thresholds = axis.states ? [] : chart.series.map((series, index) => thresholdMarks(series, index, layout));
  const parts = [...thresholds, ...drawn];
  const marks: Mark[] = [
    ...frame.below,
    ...thresholds.flatMap((part) => part.marks.slice(0, 1)),
    ...drawn.flatMap((part) => part.marks),
    ...thresholds.flatMap((part) => part.marks.slice(1)),
    ...frame.above,
  ];
  const spec: Spec = {
    width: chart.width,
    height: chart.height,
    padding: 0,
    autosize: 'none',
    background: COLORS.background,
    data: [...frame.data, ...parts.flatMap((part) => part.data)].map(({ name, values }) => ({ name, values })),
    scales: [
      { name: 'x', type: 'linear', domain: [...timeDomain], range: [plot.left, plot.right], zero: false, nice: false },
      { name: 'y', type: 'linear', domain: [...axis.domain], range: [plot.bottom, plot.top], zero: false, nice: false },
    ],
    marks,
  };
  return { spec, scales: scalesOf(chart, layout, colors) };
}

/** Width of the plot of a chart, in pixels of the chart. */
export function plotWidthOf(chart: Chart): number {
  const { plot } = laidOut(chart).layout;
  return plot.right - plot.left;
}

function laidOut(chart: Chart, pixelColumns?: number) {
  const shapes = chart.series.map((series) => shapeOf(series, chart, pixelColumns));
  const layout = layoutOf(chart, valueTitleOf(chart), (maxTicks) => valueAxisOf(chart.series, shapes, maxTicks));
  return { shapes, layout };
}

function seriesMarks(
  series: ChartSeries,
  shape: SeriesShape,
  index: number,
  layout: Layout,
  chart: Chart & { readonly pieceVertices: number | undefined },
): SeriesMarks {
  const { left, top, right, bottom } = layout.plot;
  const { startMs, endMs, pieceVertices = Number.POSITIVE_INFINITY } = chart;
  const msPerPixel = (layout.timeDomain[1] - layout.timeDomain[0]) / (right - left);
  // Half a line more above and below, so that a line along the edge keeps its width.
  const clip = { path: `M${left},${top - 3}H${right}V${bottom + 3}H${left}Z` };
  const paper = { clip, bottom, startMs, endMs, msPerPixel, pieceVertices };
  if (shape.kind === 'FLAGS') return flagMarks(series, shape.flags, index, layout);
  if (shape.kind === 'COLUMN') return columnMarks(shape, series.settings, index, paper);
  const line = lineMarks(shape, series.settings, index, paper);
  const quality = qualityMarks(series, shape, index, paper);
  return { data: [...line.data, ...quality.data], marks: [...line.marks, ...quality.marks] };
}

/** `name [units]` of the first series; several series share the axis by their units. */
function valueTitleOf({ series }: Chart): string {
  const [first] = series;
  if (!first) return '';
  if (series.length > 1) return [...new Set(series.map(({ units }) => units).filter(Boolean))].join(', ');
  return first.units === '' ? first.name : `${first.name} [${first.units}]`;
}

function valueAxisOf(series: readonly ChartSeries[], shapes: readonly SeriesShape[], maxTicks: number): ValueAxis {
  const steps = series.find(({ data }) => data.kind === 'STEPS');
  if (steps && series.length === 1) return stateAxis(steps.states.map(({ name }) => name));
  const numeric = shapes.filter((shape) => shape.kind !== 'FLAGS');
  if (numeric.length === 0 && shapes.length > 0) return { domain: [0, 1], ticks: [] };
  const visible = numeric.flatMap((shape) => [extremesOf(shape.visible)]).flat();
  return valueAxis(
    visible,
    maxTicks,
    numeric.some(({ kind }) => kind === 'COLUMN'),
  );
}

/** Lowest and highest; a list of a million values cannot be spread into arguments. */
function extremesOf(values: readonly number[]): number[] {
  let low = Number.NaN;
  let high = Number.NaN;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!(value >= low)) low = value;
    if (!(value <= high)) high = value;
  }
  return Number.isNaN(low) ? [] : [low, high];
}

function scalesOf(chart: Chart, layout: Layout, colors: readonly string[]): ChartScales {
  const { plot, timeDomain, valueAxis: axis } = layout;
  return {
    plot: { x: plot.left, y: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top },
    x: { domain: timeDomain, range: [plot.left, plot.right] },
    y: { domain: axis.domain, range: [plot.bottom, plot.top], ...(axis.states && { states: axis.states }) },
    series: chart.series.map(({ name, path, units, timestamps }, index) => {
      const { from, to } = inRange(timestamps, chart.startMs, chart.endMs);
      return { name, path, units, color: colors[index] ?? '', mark: `series-${index}`, records: to - from };
    }),
  };
}
