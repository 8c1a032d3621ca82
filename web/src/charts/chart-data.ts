import type { ChartData, SeriesView } from '@catchment/dashboard-view';
import uPlot from 'uplot';

/** An explicit gap takes the instants of other series beside it with it. */
const EXPAND = 2;

/** All series over the instants of all of them: undefined where a series has no record, null where it has a gap. */
export function aligned(data: ChartData): uPlot.AlignedData {
  const tables = data.series.map(({ times, values }) => [times, values] as unknown as uPlot.AlignedData);
  if (tables.length === 0) return [[]];
  return uPlot.join(
    tables,
    tables.map(() => [EXPAND, EXPAND]),
  );
}

export type SeriesSummary = {
  readonly minimum: number;
  readonly maximum: number;
  readonly last: number;
  readonly lastMs: number;
};

/** Of what a chart shows; undefined without a value. Passes once over the values, as series may have many. */
export function summaryOf({ times, values }: ChartData['series'][number]): SeriesSummary | undefined {
  let minimum = Infinity;
  let maximum = -Infinity;
  let last = -1;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
    last = i;
  }
  return last < 0 ? undefined : { minimum, maximum, last: values[last]!, lastMs: times[last]! };
}

/** The units of the series, each once: a scale each. */
export const scalesOf = (series: readonly SeriesView[]): string[] => [...new Set(series.map(({ units }) => units))];

/** The newest value at or before an instant; a gap there is none. */
export function valueAt({ times, values }: ChartData['series'][number], ms: number): number | undefined {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= ms) low = middle + 1;
    else high = middle;
  }
  return values[low - 1] ?? undefined;
}
