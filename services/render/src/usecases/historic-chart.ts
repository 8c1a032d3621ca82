import type { Chart, ChartSeries } from '../domain/chart.ts';
import { type ChartNode, nodeRange, titlesOf } from '../domain/chart-node.ts';
import { renderingOf } from '../domain/chart-series.ts';
import { linkedChart, readChartSettings } from '../domain/chart-settings.ts';
import { type HistoricChart, readHistoricChart } from '../domain/historic-chart.ts';
import { evaluatedRange } from './evaluated-range.ts';
import type { Asking, RenderDeps } from './render-chart.ts';
import { seriesChart } from './series-chart.ts';

/**
 * Makes the chart of a historic chart node (docs/reference/charts.md#historic-chart-node).
 * @throws DomainError as `renderNode`
 */
export async function historicChart(deps: RenderDeps, node: ChartNode, asking: Asking): Promise<Chart> {
  const { asked, call, nowMs } = asking;
  const { axes, links, timeAxis } = readHistoricChart(node.attributes);
  const found = await deps.nodes.linked(
    links.map(({ nodeId }) => nodeId),
    call,
  );
  const times = { ...nodeRange(asked, node.attributes), zone: asked.zone };
  const range = await evaluatedRange(deps.records, times, [...found.values()], { nowMs, call });
  const wanted = links.map((link) => {
    const linked = found.get(link.nodeId);
    if (!linked) return { missing: missing(link) };
    const parameter = { ...linked, name: link.name || linked.name, chart: linkedChart(linked.chart, link.chart) };
    return { parameter, rendering: renderingOf(parameter, {}), asked, axis: link.axis };
  });
  return seriesChart(deps, { wanted, axes, timeAxis, range, titles: titlesOf(node, asked) }, asking);
}

/** A link leads to a parameter that is gone, or not for the caller: the legend says so. */
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
