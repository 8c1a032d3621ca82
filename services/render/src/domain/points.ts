import type { Point } from '@catchment/dashboard-view';

/**
 * Returns fewer points that look the same in a picture with `columns` pixel columns: per column the first, lowest, highest and
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

/** Returns the points with a value whose neighbours have none: a line alone would not show them. */
export function lonelyPoints(points: readonly Point[]): Point[] {
  const has = (index: number): boolean => index >= 0 && index < points.length && !Number.isNaN(points[index]?.v);
  return points.filter((_, index) => has(index) && !has(index - 1) && !has(index + 1));
}
