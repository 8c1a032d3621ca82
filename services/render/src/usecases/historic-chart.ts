import { tooLarge } from '@catchment/errors';
import type { Chart, ChartSeries } from '../domain/chart.ts';
import { type ChartNode, nodeRange, titlesOf } from '../domain/chart-node.ts';
import { chartSeriesOf, renderingOf } from '../domain/chart-series.ts';
import { linkedChart, readChartSettings, showsQuality } from '../domain/chart-settings.ts';
import { type HistoricChart, readHistoricChart, settleAxes } from '../domain/historic-chart.ts';
import { describeAggregate } from '../domain/reduction.ts';
import { atMostAtOnce } from './at-most-at-once.ts';
import { evaluatedRange } from './evaluated-range.ts';
import { type Asking, type RenderDeps, recordsOf } from './render-chart.ts';

/**
 * The chart of a historic chart node (docs/reference/charts.md#historic-chart-node): one read for each series.
 * @throws DomainError as `renderNode`
 */
export async function historicChart(deps: RenderDeps, node: ChartNode, { asked, nowMs, call }: Asking): Promise<Chart> {
  const { axes, links, timeAxis } = readHistoricChart(node.attributes);
  const found = await deps.nodes.linked(
    links.map(({ nodeId }) => nodeId),
    call,
  );
  const { zone, zoneLabel, width, height } = asked;
  const times = nodeRange(asked, node.attributes);
  const range = await evaluatedRange(deps.records, { ...times, zone }, [...found.values()], { nowMs, call });
  // All series of a chart together have the records of one answer.
  let left = deps.maxRecords;
  const drawn = await atMostAtOnce(links, async (link) => {
    const own = found.get(link.nodeId);
    if (!own) return { series: missing(link), reducedTo: undefined };
    const parameter = { ...own, name: link.name || own.name, chart: linkedChart(own.chart, link.chart) };
    const rendering = renderingOf(parameter, {});
    const limits = { records: deps.records, maxRecords: left };
    const { records, reducedTo } = await recordsOf(limits, { asked, parameter, rendering, range, nowMs }, call);
    left -= records.timestamps.length;
    if (left < 0) throw tooLarge();
    return { series: { ...chartSeriesOf(parameter, rendering, records, range), axis: link.axis }, reducedTo };
  });
  const series = drawn.map((one) => one.series);
  const qualityColors = series.some((one) => showsQuality(one.settings))
    ? await deps.qualities.colors(call)
    : undefined;
  const reductions = new Set(drawn.flatMap(({ reducedTo }) => (reducedTo ? describeAggregate(reducedTo) : [])));
  return {
    kind: 'TIME',
    ...settleAxes(qualityColors ? series.map((one) => ({ ...one, qualityColors })) : series, axes),
    timeAxis,
    ...range,
    zone: zone.name,
    footer: [zoneLabel, ...reductions].join(' · '),
    width,
    height,
    ...titlesOf(node, asked),
  };
}

/** A link whose parameter is gone, or not for the caller: the legend tells of it. */
const missing = ({ name, axis, chart, nodeId }: HistoricChart['links'][number]): ChartSeries => ({
  name: name || nodeId,
  path: '',
  units: '',
  settings: readChartSettings(chart, 'VALUE'),
  states: [],
  timestamps: new Float64Array(0),
  data: { kind: 'VALUES', values: new Float64Array(0) },
  axis,
  isMissing: true,
});
