import { drawable, inRange, lineOf, type Point, visibleValues } from '@catchment/dashboard-view';
import type { Chart, ChartSeries } from './chart.ts';
import type { ChartSettings } from './chart-settings.ts';
import { thinPoints } from './points.ts';

/** A series has such a form on the plot. */
export type SeriesShape =
  | {
      readonly kind: 'LINE';
      readonly points: readonly Point[];
      readonly lineType: ChartSettings['lineType'];
      /** The extent of the value axis covers these. */
      readonly visible: readonly number[];
    }
  | { readonly kind: 'COLUMN'; readonly bars: readonly Bar[]; readonly visible: readonly number[] }
  | { readonly kind: 'FLAGS'; readonly flags: readonly Flag[] };

/** The record and both sides have Unix ms; the bar goes from `base` to `v`. */
export type Bar = {
  readonly t: number;
  readonly from: number;
  readonly to: number;
  readonly base: number;
  readonly v: number;
};
/** A text parameter takes a state at `t`. */
export type Flag = { readonly t: number; readonly state: number };

/** Share of the spacing that a column fills. */
const COLUMN_FILL = 0.86;
/** Columns of a stacked series; more are far thinner than a pixel. */
const MAX_STACKED = 20_000;

/**
 * Decides line, columns or flags and their geometry in time and value.
 * @param thinTo pixel columns to thin to; undefined keeps every record (vector formats)
 */
export function shapeOf(
  series: ChartSeries,
  chart: Pick<Chart, 'startMs' | 'endMs'>,
  thinTo: number | undefined,
): SeriesShape {
  const { startMs, endMs } = chart;
  if (series.data.kind === 'FLAGS') return { kind: 'FLAGS', flags: flagsOf(series, startMs, endMs) };
  const { settings, timestamps } = series;
  const values = valuesOf(series);
  // Series that stand on each other must be whole.
  const isStacked = settings.groupType === 'STACKED' && timestamps.length <= MAX_STACKED;
  const thin = (points: readonly Point[]): readonly Point[] =>
    thinTo === undefined ? points : thinPoints(points, startMs, endMs, thinTo);
  if (settings.kind === 'COLUMN' && series.data.kind === 'VALUES') {
    const { from, to } = inRange(timestamps, startMs, endMs);
    const inside: Point[] = [];
    for (let i = from; i < to; i++) inside.push({ t: timestamps[i] as number, v: drawable(values[i] as number) });
    const spacing = medianSpacing(timestamps.subarray(from, to), endMs - startMs);
    // A column holds no longer than a line may.
    const width = Math.min(spacing, series.gapMs ?? spacing);
    const bars = (isStacked ? inside : thin(inside))
      .filter(({ v }) => !Number.isNaN(v))
      .map(({ t, v }) => barAt(t, v, width, settings.pointPlacementType));
    return { kind: 'COLUMN', bars, visible: inside.map(({ v }) => v) };
  }
  const lineType = series.data.kind === 'STEPS' && settings.lineType === 'SPLINE' ? 'STEP_LEFT' : settings.lineType;
  const points = lineOf({ times: timestamps, values }, chart, lineType, series.gapMs);
  return { kind: 'LINE', points: thin(points), lineType, visible: visibleValues(points, chart, lineType) };
}

/** Numbers to draw: values, or positions of states with gaps where there is none. */
export function valuesOf(series: ChartSeries): Float64Array {
  if (series.data.kind === 'VALUES') return series.data.values;
  return Float64Array.from(series.data.stateIndexes, (index) => (index < 0 ? Number.NaN : index));
}

function barAt(t: number, v: number, width: number, placement: ChartSettings['pointPlacementType']): Bar {
  const margin = (width * (1 - COLUMN_FILL)) / 2;
  const left = placement === 'ON' ? t - width / 2 : t;
  return { t, from: left + margin, to: left + width - margin, base: 0, v };
}

/**
 * Arranges columns of several series (docs/reference/charts.md#drawing-of-series): those of GROUP share the place of a column side by side,
 * those of STACKED stand on each other where their times are the same, values below zero downwards.
 */
export function arrangeColumns(series: readonly ChartSeries[], shapes: readonly SeriesShape[]): SeriesShape[] {
  const grouped = shapes.flatMap((shape, index) =>
    shape.kind === 'COLUMN' && series[index]?.settings.groupType === 'GROUP' ? [index] : [],
  );
  const stacks = new Map<number, Map<number, { above: number; below: number }>>();
  return shapes.map((shape, index) => {
    if (shape.kind !== 'COLUMN') return shape;
    const { settings, axis = 0 } = series[index] as ChartSeries;
    if (settings.groupType === 'GROUP') {
      return { ...shape, bars: shape.bars.map((bar) => slotOf(bar, grouped.indexOf(index), grouped.length)) };
    }
    if (settings.groupType !== 'STACKED') return shape;
    const tops = stacks.get(axis) ?? new Map<number, { above: number; below: number }>();
    stacks.set(axis, tops);
    const bars = shape.bars.map((bar) => {
      const top = tops.get(bar.t) ?? { above: 0, below: 0 };
      tops.set(bar.t, top);
      const side = bar.v < 0 ? 'below' : 'above';
      const base = top[side];
      top[side] = base + bar.v;
      return { ...bar, base, v: top[side] };
    });
    return { ...shape, bars, visible: [...shape.visible, ...bars.map(({ v }) => v)] };
  });
}

function slotOf(bar: Bar, place: number, places: number): Bar {
  const width = (bar.to - bar.from) / places;
  const from = bar.from + place * width;
  return { ...bar, from, to: from + width };
}

/** Returns the width of a column of raw records (docs/reference/charts.md#drawing-of-series); a single one gets a twentieth of the range. */
function medianSpacing(timestamps: Float64Array, rangeMs: number): number {
  if (timestamps.length < 2) return Math.max(rangeMs / 20, 1);
  const spacings = new Float64Array(timestamps.length - 1);
  for (let i = 1; i < timestamps.length; i++)
    spacings[i - 1] = (timestamps[i] as number) - (timestamps[i - 1] as number);
  spacings.sort();
  return spacings[spacings.length >> 1] as number;
}

/** A flag marks where a state begins, and not each record. */
function flagsOf(series: ChartSeries, startMs: number, endMs: number): Flag[] {
  if (series.data.kind !== 'FLAGS') return [];
  const { from, to } = inRange(series.timestamps, startMs, endMs);
  const flags: Flag[] = [];
  let current = from > 0 ? series.data.stateIndexes[from - 1] : -1;
  for (let i = from; i < to; i++) {
    const state = series.data.stateIndexes[i] as number;
    if (state >= 0 && state !== current) flags.push({ t: series.timestamps[i] as number, state });
    current = state;
  }
  return flags;
}
