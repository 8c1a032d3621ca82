import type { ChartSettings } from './chart-settings.ts';

/** A vertex: Unix ms and value, NaN = the line breaks here. */
export type Point = { readonly t: number; readonly v: number };

/** Index range `[from, to)` of the records inside the chart's range. */
export type InRange = { readonly from: number; readonly to: number };

export function inRange(timestamps: Float64Array, startMs: number, endMs: number): InRange {
  let from = 0;
  while (from < timestamps.length && (timestamps[from] as number) < startMs) from++;
  let to = timestamps.length;
  while (to > from && (timestamps[to - 1] as number) > endMs) to--;
  return { from, to };
}

/** Bounding records farther out than this many ranges are pulled nearer: renderers compute in small fixed-point numbers. */
const FAR = 3;

/**
 * The vertices of a line: every record in its order, also those without value (they break the line). A bounding record
 * that lies very far outside is replaced by a nearer vertex outside of the picture such that the visible part of the line
 * stays as it was.
 */
export function linePoints(
  timestamps: Float64Array,
  values: Float64Array,
  startMs: number,
  endMs: number,
  lineType: ChartSettings['lineType'],
): Point[] {
  const { from, to } = inRange(timestamps, startMs, endMs);
  const points: Point[] = [];
  const record = (index: number): Point => ({ t: timestamps[index] as number, v: values[index] as number });
  const span = Math.max(endMs - startMs, 1);
  const before = from > 0 ? record(from - 1) : undefined;
  const after = to < timestamps.length ? record(to) : undefined;

  if (before && after && from === to) return bridged(before, after, startMs, endMs, lineType);
  if (before) points.push(nearer(before, from < to ? record(from) : undefined, startMs - span, FAR * span, lineType));
  for (let index = from; index < to; index++) points.push(record(index));
  if (after) points.push(nearer(after, points.at(-1), endMs + span, FAR * span, lineType));
  return points;
}

/** `outer` itself, or a stand-in at `edgeMs` on its line to the visible neighbour `inner`. */
function nearer(
  outer: Point,
  inner: Point | undefined,
  edgeMs: number,
  farMs: number,
  lineType: ChartSettings['lineType'],
): Point {
  if (Math.abs(outer.t - edgeMs) <= farMs) return outer;
  if (!inner) return { t: edgeMs, v: outer.v };
  if (lineType === 'STEP_LEFT' || lineType === 'STEP_RIGHT') return { t: edgeMs, v: outer.v };
  // The step's middle is far outside too: only the inner value is seen.
  if (lineType === 'STEP_CENTER') return { t: edgeMs, v: Number.isNaN(outer.v) ? outer.v : inner.v };
  return { t: edgeMs, v: between(outer, inner, edgeMs) };
}

/** No record inside: the line from one bounding record to the other, cut to a little more than the picture. */
function bridged(
  before: Point,
  after: Point,
  startMs: number,
  endMs: number,
  lineType: ChartSettings['lineType'],
): Point[] {
  const span = Math.max(endMs - startMs, 1);
  const left = Math.max(before.t, startMs - span);
  const right = Math.min(after.t, endMs + span);
  if (lineType !== 'STEP_CENTER') {
    const isStep = lineType === 'STEP_LEFT' || lineType === 'STEP_RIGHT';
    return [
      { t: left, v: isStep ? before.v : between(before, after, left) },
      { t: right, v: isStep ? after.v : between(before, after, right) },
    ];
  }
  const middle = (before.t + after.t) / 2;
  if (middle <= startMs)
    return [
      { t: left, v: after.v },
      { t: right, v: after.v },
    ];
  if (middle >= endMs)
    return [
      { t: left, v: before.v },
      { t: right, v: before.v },
    ];
  return [
    { t: middle - span, v: before.v },
    { t: middle + span, v: after.v },
  ];
}

const between = (a: Point, b: Point, t: number): number => a.v + ((b.v - a.v) * (t - a.t)) / (b.t - a.t);

/** The visible part of the line, for the extent of the value axis: values inside, and where it meets the edges. */
export function visibleValues(
  points: readonly Point[],
  startMs: number,
  endMs: number,
  lineType: ChartSettings['lineType'],
): number[] {
  const values: number[] = [];
  points.forEach((point, index) => {
    if (point.t >= startMs && point.t <= endMs) {
      values.push(point.v);
      return;
    }
    const edge = point.t < startMs ? startMs : endMs;
    const other = point.t < startMs ? points[index + 1] : points[index - 1];
    if (other) values.push(...edgeValues(point, other, edge, lineType));
  });
  return values;
}

function edgeValues(outer: Point, inner: Point, edge: number, lineType: ChartSettings['lineType']): number[] {
  const isBefore = outer.t < inner.t;
  switch (lineType) {
    case 'STEP_LEFT':
      return [isBefore ? outer.v : inner.v];
    case 'STEP_RIGHT':
      return [isBefore ? inner.v : outer.v];
    case 'STEP_CENTER':
      return [outer.v, inner.v];
    default:
      return [between(outer, inner, edge)];
  }
}

/**
 * Fewer points that look the same in a picture with `columns` pixel columns: per column the first, lowest, highest and
 * last one, and one per gap. Used for pixel formats only: an SVG keeps every vertex.
 */
export function thinPoints(
  points: readonly Point[],
  startMs: number,
  endMs: number,
  columns: number,
): readonly Point[] {
  if (points.length <= columns * 4) return points;
  const msPerColumn = Math.max(endMs - startMs, 1) / columns;
  const kept: Point[] = [];
  let bucket: { column: number; first: number; low: number; high: number; last: number } | undefined;
  const flush = (): void => {
    if (!bucket) return;
    const indexes = [...new Set([bucket.first, bucket.low, bucket.high, bucket.last])].sort((a, b) => a - b);
    for (const index of indexes) kept.push(points[index] as Point);
    bucket = undefined;
  };
  points.forEach((point, index) => {
    if (Number.isNaN(point.v)) {
      flush();
      if (kept.length > 0 && !Number.isNaN(kept.at(-1)?.v)) kept.push(point);
      return;
    }
    const column = Math.floor((point.t - startMs) / msPerColumn);
    if (bucket?.column !== column) {
      flush();
      bucket = { column, first: index, low: index, high: index, last: index };
      return;
    }
    if (point.v < (points[bucket.low] as Point).v) bucket.low = index;
    if (point.v > (points[bucket.high] as Point).v) bucket.high = index;
    bucket.last = index;
  });
  flush();
  return kept;
}

/** Points with a value whose neighbours have none: a line alone would not show them. */
export function lonelyPoints(points: readonly Point[]): Point[] {
  const has = (index: number): boolean => index >= 0 && index < points.length && !Number.isNaN(points[index]?.v);
  return points.filter((_, index) => has(index) && !has(index - 1) && !has(index + 1));
}
