import type { SeriesView } from '@catchment/dashboard-view';
import uPlot from 'uplot';
import { dashOf } from '../dashes.ts';

/** A line's width in pixels. */
const LINE = 1.75;

type LineLook = {
  readonly scale: string;
  /** Lines of the same colour have other dashes in each round. */
  readonly round: number;
  readonly colorOf: () => string;
};

/** Describes the line, the area or the columns of a series to uPlot. */
export function lineOptions(series: SeriesView, { scale, round, colorOf }: LineLook): uPlot.Series {
  const isColumn = series.type === 'COLUMN';
  return {
    label: series.name,
    scale,
    stroke: colorOf,
    width: isColumn ? 0 : LINE,
    dash: dashOf(round, LINE),
    ...((series.fill || isColumn) && { fill: () => `${colorOf()}${isColumn ? 'd0' : '2e'}` }),
    ...(series.fill && !isColumn && { fillTo: () => 0 }),
    ...(series.type === 'STEP' && { paths: uPlot.paths.stepped!({ align: 1 }) }),
    ...(isColumn && { paths: uPlot.paths.bars!({ size: [0.75, 60, 1] }) }),
    points: isColumn ? { show: false } : { show: true, filter: isLonely, size: 5, fill: colorOf },
  };
}

/** Points are drawn where a line would not show them: between two gaps. */
const isLonely: uPlot.Series.Points.Filter = (u, index, _show, gaps) => {
  if (!gaps || gaps.length === 0) return u.data[0].length === 1 ? [0] : [];
  const values = u.data[index]!;
  const found: number[] = [];
  let before: number | undefined;
  let run = 0;
  for (let i = 0; i <= values.length; i += 1) {
    const value = i < values.length ? values[i] : null;
    if (value === undefined) continue;
    if (value === null) {
      if (run === 1) found.push(before!);
      run = 0;
    } else {
      run += 1;
      before = i;
    }
  }
  return found;
};
