import { isGap } from './gap.ts';

/** A vertex has Unix ms and a value, NaN = the line breaks here. */
export type Point = {
  readonly t: number;
  readonly v: number;
  /** No record: where a step ends that has no next one. */
  readonly isHold?: true;
};

export type LineType = 'NORMAL' | 'STEP_LEFT' | 'STEP_CENTER' | 'STEP_RIGHT' | 'SPLINE';

/**
 * Records come in their order, each with its Unix ms; NaN and null are records without value. Those outside of the range are the nearest
 * ones.
 */
export type LineRecords = { readonly times: ArrayLike<number>; readonly values: ArrayLike<number | null> };
export type LineRange = { readonly startMs: number; readonly endMs: number };

/** Index range `[from, to)` of the records inside the range. */
export type InRange = { readonly from: number; readonly to: number };

export function inRange(times: ArrayLike<number>, startMs: number, endMs: number): InRange {
  let from = 0;
  while (from < times.length && (times[from] as number) < startMs) from++;
  let to = times.length;
  while (to > from && (times[to - 1] as number) > endMs) to--;
  return { from, to };
}

/** Neighbours farther out than this many ranges are pulled nearer: renderers compute in small fixed-point numbers. */
const FAR = 3;

/**
 * Returns the vertices of a line (docs/reference/charts.md#gaps): every record of the range in its order, also those without value (they
 * break the line), breaks at outages, and beyond each end the nearest record where no outage lies between. One that lies very far outside
 * is replaced by a nearer vertex outside of the picture such that the visible part of the line stays as it was.
 * @param gapMs the longest step over which the line is drawn
 */
export function lineOf(
  { times, values }: LineRecords,
  { startMs, endMs }: LineRange,
  lineType: LineType,
  gapMs = Number.POSITIVE_INFINITY,
): Point[] {
  const record = (index: number): Point => ({ t: times[index] as number, v: drawable(values[index] ?? Number.NaN) });
  const { from, to } = inRange(times, startMs, endMs);
  const before = from > 0 ? record(from - 1) : undefined;
  const after = to < times.length ? record(to) : undefined;
  const span = Math.max(endMs - startMs, 1);
  if (from === to) {
    if (!before || !after || isGap(before.t, after.t, gapMs)) return [];
    return bridged(before, after, { startMs, endMs }, lineType);
  }
  const points: Point[] = [];
  const first = record(from);
  if (before && !isGap(before.t, first.t, gapMs))
    points.push(nearer(before, first, startMs - span, FAR * span, lineType));
  let last = first;
  for (let index = from; index < to; index++) {
    const next = record(index);
    if (isGap(last.t, next.t, gapMs)) points.push(...outage(last, next, lineType, gapMs));
    points.push(next);
    last = next;
  }
  if (after && !isGap(last.t, after.t, gapMs)) points.push(nearer(after, last, endMs + span, FAR * span, lineType));
  return points;
}

/** The span of two values leaves the range of numbers beyond this, and no place on an axis could be computed. */
export const LARGEST_DRAWN = 8e307;

/** Below this a step of an axis is no number any more. */
const SMALLEST_DRAWN = 1e-300;

/** Returns a value as it is drawn: huge ones lie at the end of what axes reach, the tiniest of all on zero. */
export const drawable = (value: number): number =>
  Math.abs(value) < SMALLEST_DRAWN ? 0 : Math.min(Math.max(value, -LARGEST_DRAWN), LARGEST_DRAWN);

/** Draws between two records with an outage between them: steps hold as long as they may, and everything breaks. */
function outage(before: Point, after: Point, lineType: LineType, gapMs: number): Point[] {
  const middle = (before.t + after.t) / 2;
  const held = (t: number, v: number): Point => ({ t, v, isHold: true });
  const hasBefore = lineType === 'STEP_LEFT' || lineType === 'STEP_CENTER';
  const hasAfter = lineType === 'STEP_RIGHT' || lineType === 'STEP_CENTER';
  const most = lineType === 'STEP_CENTER' ? Math.min(gapMs, middle - before.t) : gapMs;
  return [
    ...(hasBefore ? [held(before.t + most, before.v)] : []),
    { t: middle, v: Number.NaN },
    ...(hasAfter ? [held(after.t - most, after.v)] : []),
  ];
}

/** Returns `outer`, or a stand-in at `edgeMs` on its line to the visible neighbour `inner`. */
function nearer(outer: Point, inner: Point, edgeMs: number, farMs: number, lineType: LineType): Point {
  if (Math.abs(outer.t - edgeMs) <= farMs) return outer;
  if (lineType === 'STEP_LEFT' || lineType === 'STEP_RIGHT') return { t: edgeMs, v: outer.v };
  // The step's middle is far outside too: only the inner value is seen.
  if (lineType === 'STEP_CENTER') return { t: edgeMs, v: Number.isNaN(outer.v) ? outer.v : inner.v };
  return { t: edgeMs, v: between(outer, inner, edgeMs) };
}

/** No record is inside: returns the line from one neighbour to the other, clipped to a little more than the picture. */
function bridged(before: Point, after: Point, { startMs, endMs }: LineRange, lineType: LineType): Point[] {
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

const between = (a: Point, b: Point, t: number): number => a.v + (b.v - a.v) * ((t - a.t) / (b.t - a.t));

/**
 * Returns what decides the extent of the value axis: the values of the records inside. Neighbours outside do not count;
 * only for a line that crosses the range without a record in it, the values where it meets the edges.
 */
export function visibleValues(points: readonly Point[], { startMs, endMs }: LineRange, lineType: LineType): number[] {
  const inside: number[] = [];
  let before: Point | undefined;
  let after: Point | undefined;
  for (const point of points) {
    if (point.t < startMs) before = point;
    else if (point.t <= endMs) inside.push(point.v);
    else after ??= point;
  }
  const values = inside.filter((value) => !Number.isNaN(value));
  if (inside.length > 0 || !before || !after) return values;
  return edgeValues(before, after, { startMs, endMs }, lineType).filter((value) => !Number.isNaN(value));
}

function edgeValues(before: Point, after: Point, { startMs, endMs }: LineRange, lineType: LineType): number[] {
  switch (lineType) {
    case 'STEP_LEFT':
      return [before.v];
    case 'STEP_RIGHT':
      return [after.v];
    case 'STEP_CENTER':
      return [before.v, after.v];
    default:
      return [between(before, after, startMs), between(before, after, endMs)];
  }
}
