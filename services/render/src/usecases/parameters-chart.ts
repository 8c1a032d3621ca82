import { invalid } from '@catchment/errors';
import { COLUMN, parseNodeParams } from '@catchment/query';
import { DAY_MS } from '@catchment/time';
import type { Chart } from '../domain/chart.ts';
import { readChartArguments } from '../domain/chart-arguments.ts';
import { renderingOf } from '../domain/chart-series.ts';
import { axesByUnits } from '../domain/historic-chart.ts';
import type { Parameter } from '../domain/parameter.ts';
import { edgesOf, evaluatedRange } from './evaluated-range.ts';
import type { Asking, RenderDeps } from './render-chart.ts';
import { seriesChart } from './series-chart.ts';

const KEYS = Object.keys(COLUMN) as (keyof typeof COLUMN)[];
/** Shown before the newest record where nothing else is asked for. */
const DEFAULT_DAYS = 7;

/**
 * Makes the chart of the parameters that `params` names (docs/reference/charts.md#chart-of-several-parameters).
 * @throws DomainError as `renderNode`
 */
export async function parametersChart(
  deps: RenderDeps,
  given: Readonly<Record<string, string>>,
  asking: Asking,
): Promise<Chart> {
  const { asked, nowMs, call } = asking;
  if (!given.params) throw invalid('ARGUMENT_MISSING', 'params must be given: it names the parameters of the chart');
  // Every entry is understood before any node is looked for.
  const entries = parseNodeParams(given.params, KEYS).map(({ reference, values }) => ({
    reference,
    asked: readChartArguments({ ...given, ...values }, nowMs),
  }));
  const parameters = await deps.nodes.named(
    entries.map(({ reference }) => reference),
    call,
  );
  const { axes, axisOf } = axesByUnits(parameters);
  const wanted = parameters.map((parameter, index) => {
    const wanted = entries[index]?.asked ?? asked;
    return { parameter, rendering: renderingOf(parameter, wanted), asked: wanted, axis: axisOf(parameter) };
  });
  const range = await rangeOf(deps, parameters, asking);
  const { title, subtitle } = asked;
  const titles = { ...(title !== undefined && { title }), ...(subtitle !== undefined && { subtitle }) };
  return seriesChart(deps, { wanted, axes, timeAxis: 'BOTTOM', range, titles }, asking);
}

/** Returns the asked range; without an end up to the newest record of all, without a start the days before the end. */
async function rangeOf(deps: RenderDeps, parameters: readonly Parameter[], { asked, nowMs, call }: Asking) {
  const { zone } = asked;
  const newest = async () => (await edgesOf(deps.records, parameters, call)).lastMs ?? nowMs;
  const end = asked.end ?? { kind: 'instant' as const, instantMs: await newest() };
  if (asked.start) return evaluatedRange(deps.records, { start: asked.start, end, zone }, parameters, { nowMs, call });
  const { endMs } = await evaluatedRange(deps.records, { start: end, end, zone }, parameters, { nowMs, call });
  return { startMs: endMs - DEFAULT_DAYS * DAY_MS, endMs };
}
