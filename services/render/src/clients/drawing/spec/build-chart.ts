import { inRange } from '@catchment/dashboard-view';
import type { Mark } from 'vega';
import type { AxisSettings, Chart, ChartScales, ChartSeries, Scale } from '../../../domain/chart.ts';
import { pixelOf } from '../../../domain/scale.ts';
import { arrangeColumns, type SeriesShape, shapeOf } from '../../../domain/series-shape.ts';
import { columnMarks } from './column-marks.ts';
import { flagMarks } from './flag-marks.ts';
import { frameMarks } from './frame-marks.ts';
import { TIME_ROWS, timeAxisMarks } from './horizontal-axis.ts';
import { type AxisRequest, type Layout, layoutOf } from './layout.ts';
import type { LegendEntry } from './legend.ts';
import { lineMarks, type Paper, type SeriesMarks } from './line-marks.ts';
import { COLORS } from './palette.ts';
import { type BuiltPicture, plotFacts, specOf, vegaScale } from './picture-spec.ts';
import { qualityMarks } from './quality-marks.ts';
import { type StyledSeries, styleOf } from './series-style.ts';
import { thresholdMarks } from './threshold-marks.ts';
import { stateAxis, type ValueAxis, valueAxis } from './value-axis.ts';

/**
 * A chart over time (docs/reference/charts.md#chart-endpoint, docs/reference/charts.md#drawing-of-series).
 * @param pixelColumns width of the picture in output pixels where it will be one (PNG, JPG): allows to leave out records
 *   that cannot be seen; undefined keeps a vertex per record
 * @param pieceVertices a solid line is drawn in pieces of this many vertices; undefined: as one path
 */
export function buildChart(
  given: Chart,
  pixelColumns?: number,
  pieceVertices = Number.POSITIVE_INFINITY,
): BuiltPicture<ChartScales> {
  const { chart, shapes, layout } = laidOut(given, pixelColumns);
  const { series } = chart;
  const time = timeAxisMarks(chart, layout);
  const frame = frameMarks(
    chart,
    layout,
    shapes.every((shape) => (shape.kind === 'FLAGS' ? shape.flags.length === 0 : shape.visible.length === 0)),
  );
  const papers = layout.axes.map((_, axis) => ({
    ...paperOf(chart, layout, time.scale, axis),
    pieceVertices,
  }));
  const strips = series.filter((_, index) => shapes[index]?.kind === 'FLAGS');
  const drawn = series.map((line, index) => {
    const { top, bottom } = layout.plot;
    const height = (bottom - top) / Math.max(strips.length, 1);
    const first = top + strips.indexOf(line) * height;
    const strip = { top: first, bottom: first + height, time: time.scale };
    const shape = shapes[index] as SeriesShape;
    if (shape.kind === 'FLAGS') return flagMarks(line, shape.flags, index, layout, strip);
    return seriesMarks(line, shape, index, papers[line.axis ?? 0] as Paper);
  });
  const names: number[] = [];
  const thresholds = series.map((line, index): SeriesMarks => {
    const { axis, scale, isHidden } = layout.axes[line.axis ?? 0] as Layout['axes'][number];
    const hasNone =
      axis.states !== undefined ||
      isHidden ||
      axis.ticks.length === 0 ||
      shapes[index]?.kind === 'FLAGS' ||
      line.isMissing;
    return hasNone ? { data: [], marks: [] } : thresholdMarks(line, index, layout, { scale }, names);
  });
  const parts = [time.parts, frame, ...thresholds, ...drawn];
  const marks: Mark[] = [
    ...frame.below,
    ...time.parts.below,
    ...thresholds.flatMap((part) => part.marks.slice(0, 1)),
    // Columns would hide lines.
    ...drawn.filter((_, index) => shapes[index]?.kind === 'COLUMN').flatMap((part) => part.marks),
    ...drawn.filter((_, index) => shapes[index]?.kind !== 'COLUMN').flatMap((part) => part.marks),
    ...thresholds.flatMap((part) => part.marks.slice(1)),
    ...time.parts.above,
    ...frame.above,
  ];
  const scales = [vegaScale('x', time.scale), ...layout.axes.map(({ scale }, index) => vegaScale(`y${index}`, scale))];
  return {
    spec: specOf(chart, { parts, marks, scales }),
    scales: scalesOf(chart, layout, time.scale),
  };
}

/** Returns the width of the plot of a chart, in pixels of the chart. */
export function plotWidthOf(chart: Chart): number {
  const { plot } = laidOut(chart).layout;
  return plot.right - plot.left;
}

/** Lays everything out. */
function laidOut(given: Chart, pixelColumns?: number) {
  const all = given.series.map((line, index) => ({
    ...onAxis(line, given.axes[line.axis ?? 0]),
    style: styleOf(line.settings, index),
  }));
  const chart = { ...given, series: all };
  const { series, axes } = chart;
  const shapes = arrangeColumns(
    series,
    series.map((line) => shapeOf(line, chart, pixelColumns)),
  );
  const layout = layoutOf(chart, {
    legend: legendOf(series, shapes),
    axes: axes.map((axis, index) => axisRequest(axis, index, series, shapes)),
    horizontal: { side: chart.timeAxis, rows: TIME_ROWS },
  });
  return { chart, shapes, layout };
}

/** A logarithm skips what is not above zero. */
function onAxis(series: ChartSeries, axis: AxisSettings | undefined): ChartSeries {
  if (axis?.range !== 'LOGARITHMIC' || series.data.kind !== 'VALUES') return series;
  const values = series.data.values.map((value) => (value > 0 ? value : Number.NaN));
  return { ...series, data: { kind: 'VALUES', values } };
}

/** Returns where marks of the series of an axis may paint. */
function paperOf(chart: Chart, { plot, axes }: Layout, time: Scale, axis: number): Paper {
  const { left, top, right, bottom } = plot;
  const { scale, axis: values } = axes[axis] as Layout['axes'][number];
  const [low, high] = scale.domain;
  const hasZero = scale.type !== 'log' && values.states === undefined;
  return {
    // Half a line more above and below, so that a line along the edge keeps its width.
    clip: { path: `M${left},${top - 3}H${right}V${bottom + 3}H${left}Z` },
    scale,
    yScale: `y${axis}`,
    foot: hasZero ? pixelOf(scale, Math.min(Math.max(0, low), high)) : scale.range[0],
    startMs: chart.startMs,
    endMs: chart.endMs,
    msPerPixel: (time.domain[1] - time.domain[0]) / (right - left),
  };
}

function seriesMarks(
  series: StyledSeries,
  shape: Exclude<SeriesShape, { kind: 'FLAGS' }>,
  index: number,
  paper: Paper,
): SeriesMarks {
  if (shape.kind === 'COLUMN') return columnMarks(series, shape, index, paper);
  const line = lineMarks(shape, series.style, index, paper);
  const quality = qualityMarks(series, shape, index, paper);
  return { data: [...line.data, ...quality.data], marks: [...line.marks, ...quality.marks] };
}

/** A single series is named by its axis; a missing series always has to be listed. */
function legendOf(series: readonly StyledSeries[], shapes: readonly SeriesShape[]): LegendEntry[] {
  if (series.length < 2 && !series.some(({ isMissing }) => isMissing)) return [];
  return series.map(({ name, style: { color, sign }, isMissing }, index): LegendEntry => {
    if (isMissing) return { name, color, kind: 'WARNING' };
    return shapes[index]?.kind === 'COLUMN' ? { name, color, kind: 'AREA' } : { name, color, kind: 'LINE', ...sign };
  });
}

function axisRequest(
  settings: AxisSettings,
  axis: number,
  series: readonly StyledSeries[],
  shapes: readonly SeriesShape[],
): AxisRequest {
  const isOwn = (series: ChartSeries) => (series.axis ?? 0) === axis;
  const drawn = series.filter((line) => isOwn(line) && !line.isMissing);
  const ownShapes = shapes.filter((_, index) => isOwn(series[index] as ChartSeries));
  return {
    side: settings.position === 'RIGHT' ? 'RIGHT' : 'LEFT',
    title: settings.showLabel ? settings.name || titleOf(drawn) : '',
    // An axis of one series has its colour.
    color: drawn.length === 1 ? (drawn[0] as StyledSeries).style.color : COLORS.text,
    inverted: settings.inverted,
    make: (maxTicks) => valuesOn(settings, drawn, ownShapes, maxTicks),
  };
}

/** Returns `name [units]` of one series; several series share the axis by their units. */
function titleOf(series: readonly ChartSeries[]): string {
  const [first] = series;
  if (!first) return '';
  if (series.length > 1) return [...new Set(series.map(({ units }) => units).filter(Boolean))].join(', ');
  return first.units === '' ? first.name : `${first.name} [${first.units}]`;
}

function valuesOn(
  settings: AxisSettings,
  series: readonly StyledSeries[],
  shapes: readonly SeriesShape[],
  maxTicks: number,
): ValueAxis {
  const [first] = series;
  if (first && series.every(({ data }) => data.kind === 'STEPS'))
    return stateAxis(first.states.map(({ name }) => name));
  const numeric = shapes.filter((shape) => shape.kind !== 'FLAGS');
  const visible = numeric.flatMap((shape) => [extremesOf(shape.visible, settings)]).flat();
  // Flags have no values, nor has an outage; an axis without values would be invented.
  if (visible.length === 0 && settings.range !== 'LINEAR_FIXED')
    return { ...(settings.range === 'LOGARITHMIC' && { type: 'log' as const }), domain: [1, 10], ticks: [] };
  // Columns and areas would show other proportions than those of their values.
  const standsOnZero = series.some(({ style, data }) => style.fill && data.kind === 'VALUES');
  const hasBars = numeric.some(({ kind }) => kind === 'COLUMN');
  return valueAxis(visible, maxTicks, hasBars || standsOnZero, settings);
}

/** Returns the lowest and highest; a list of a million values cannot be spread into arguments. */
function extremesOf(values: readonly number[], { range }: AxisSettings): number[] {
  let low = Number.NaN;
  let high = Number.NaN;
  for (const value of values) {
    if (Number.isNaN(value) || (range === 'LOGARITHMIC' && value <= 0)) continue;
    if (!(value >= low)) low = value;
    if (!(value <= high)) high = value;
  }
  return Number.isNaN(low) ? [] : [low, high];
}

function scalesOf(
  chart: Omit<Chart, 'series'> & { readonly series: readonly StyledSeries[] },
  layout: Layout,
  x: Scale,
): ChartScales {
  const axes = layout.axes.map(({ scale, axis }) => ({ ...scale, ...(axis.states && { states: axis.states }) }));
  return {
    plot: plotFacts(layout),
    x,
    y: axes[0] as ChartScales['y'],
    axes,
    series: chart.series.map(({ name, path, units, timestamps, style, axis = 0 }, index) => {
      const { from, to } = inRange(timestamps, chart.startMs, chart.endMs);
      return { name, path, units, color: style.color, axis, mark: `series-${index}`, records: to - from };
    }),
  };
}
