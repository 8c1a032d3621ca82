import type { StoredColumn } from '../domain/plan-write.ts';

/** InfluxDB takes a request on one processor. */
export const MAX_LANES = 4;
/** Below this many lines for each, more requests cost more than they gain. */
const LANE_LINES = 5_000;

/**
 * Returns columns in lanes that may be written at the same time: all columns of a series are in one of them, in their order, so that
 * the later value of a record stays the later one.
 */
export function lanesOf(columns: readonly StoredColumn[]): (readonly StoredColumn[])[] {
  const lines = linesIn(columns);
  const count = Math.min(MAX_LANES, Math.floor(lines / LANE_LINES));
  if (count < 2) return [columns];
  const lanes = Array.from({ length: count }, () => ({ columns: [] as StoredColumn[], lines: 0 }));
  for (const series of bySize(Map.groupBy(columns, ({ nodeId }) => nodeId))) {
    const shortest = lanes.reduce((best, lane) => (lane.lines < best.lines ? lane : best));
    shortest.columns.push(...series.columns);
    shortest.lines += series.lines;
  }
  return lanes.flatMap((lane) => (lane.lines > 0 ? [lane.columns] : []));
}

const bySize = (series: ReadonlyMap<string, readonly StoredColumn[]>) =>
  [...series.values()].map((columns) => ({ columns, lines: linesIn(columns) })).sort((a, b) => b.lines - a.lines);

const linesIn = (columns: readonly StoredColumn[]): number =>
  columns.reduce((sum, { timestamps }) => sum + timestamps.length, 0);
