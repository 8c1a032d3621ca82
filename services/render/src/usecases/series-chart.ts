import { tooLarge } from '@catchment/errors';
import type { AxisSettings, Chart, ChartSeries } from '../domain/chart.ts';
import type { ChartArguments } from '../domain/chart-arguments.ts';
import { chartSeriesOf, type Rendering } from '../domain/chart-series.ts';
import { showsQuality } from '../domain/chart-settings.ts';
import { settleAxes } from '../domain/historic-chart.ts';
import type { Parameter } from '../domain/parameter.ts';
import { describeAggregate } from '../domain/reduction.ts';
import { ownStates } from './own-states.ts';
import { readInParallel } from './read-in-parallel.ts';
import { type Asking, outputScale, type RenderDeps, recordsOf } from './render-chart.ts';

/** A series to be read, or one that is not there. */
type WantedSeries =
  | {
      readonly parameter: Parameter;
      readonly rendering: Rendering;
      /** The arguments of its own. */
      readonly asked: ChartArguments;
      readonly axis: number;
    }
  | { readonly missing: ChartSeries };

type SeriesChart = {
  readonly wanted: readonly WantedSeries[];
  readonly axes: readonly AxisSettings[];
  readonly timeAxis: Chart['timeAxis'];
  readonly range: { readonly startMs: number; readonly endMs: number };
  readonly titles: { readonly title?: string; readonly subtitle?: string };
};

/**
 * Makes a chart of several series, one read each. Together they have at most the records of one answer.
 * @throws DomainError as `renderNode`
 */
export async function seriesChart(
  deps: RenderDeps,
  { wanted, axes, timeAxis, range, titles }: SeriesChart,
  { asked, nowMs, call }: Asking,
): Promise<Chart> {
  let left = deps.maxRecords;
  // The width of the plot depends on all series: it is at most the picture.
  const columnsOf = async () => Math.round(asked.width * outputScale(asked));
  const statesFor = ownStates(deps.preferences, call);
  const drawn = await readInParallel(wanted, call, async (request, reading) => {
    if ('missing' in request) return { series: request.missing, reducedTo: undefined };
    const { parameter, rendering, axis } = request;
    const limits = { records: deps.records, maxRecords: left };
    const { records, reducedTo } = await recordsOf(limits, { ...request, range, columnsOf, nowMs }, reading);
    left -= records.timestamps.length;
    if (left < 0) throw tooLarge();
    const shown = await statesFor(parameter, rendering);
    return { series: { ...chartSeriesOf(shown, rendering, records, range), axis }, reducedTo };
  });
  // A parameter may come several times, with different aggregates.
  const names = drawn.map(({ series }) => series.name);
  const series = drawn.map(({ series: line, reducedTo }) => {
    const isAmbiguous = names.filter((name) => name === line.name).length > 1;
    return isAmbiguous && reducedTo ? { ...line, name: `${line.name} (${describeAggregate(reducedTo)})` } : line;
  });
  const qualityColors = series.some((line) => showsQuality(line.settings))
    ? await deps.qualities.colors(call)
    : undefined;
  const reductions = new Set(drawn.flatMap(({ reducedTo }) => (reducedTo ? describeAggregate(reducedTo) : [])));
  const { zone, zoneLabel, width, height } = asked;
  return {
    kind: 'TIME',
    ...settleAxes(qualityColors ? series.map((line) => ({ ...line, qualityColors })) : series, axes),
    timeAxis,
    ...range,
    zone: zone.name,
    footer: [zoneLabel, ...reductions].join(' · '),
    width,
    height,
    ...titles,
  };
}
