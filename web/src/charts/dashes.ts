import type { SeriesView } from '@catchment/dashboard-view';

/** Dashes and gaps in widths of the line, as pictures have them: lines of one colour are distinguished by these, in their order. */
const DASHES = [[], [4, 3], [1, 3], [4, 3, 1, 3], [8, 3], [8, 3, 1, 3]] as const;

/** Counts for each series how many of the chart have its colour before it; columns need none. */
export function roundsOf(series: readonly Pick<SeriesView, 'color' | 'type'>[]): number[] {
  const count = new Map<string, number>();
  return series.map(({ color, type }) => {
    if (type === 'COLUMN') return 0;
    const round = count.get(color) ?? 0;
    count.set(color, round + 1);
    return round % DASHES.length;
  });
}

export const dashOf = (round: number, lineWidth: number): number[] =>
  (DASHES[round] ?? DASHES[0]).map((length) => length * lineWidth);
