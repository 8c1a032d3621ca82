import { tooLarge } from '@catchment/errors';
import type { Picture } from '../domain/chart.ts';
import { checkChartNodeArguments, readChartArguments } from '../domain/chart-arguments.ts';
import type { ChartNode } from '../domain/chart-node.ts';
import { CONTENT_TYPES } from '../domain/image-format.ts';
import { displacementChart } from './displacement-chart.ts';
import { historicChart } from './historic-chart.ts';
import { parametersChart } from './parameters-chart.ts';
import type { Call } from './ports.ts';
import { type Asking, parameterChart, type RenderDeps } from './render-chart.ts';
import { windRose } from './wind-rose.ts';
import { withoutPaths } from './without-paths.ts';

export type RenderChart = {
  /** Empty: the argument `params` names the parameters. */
  readonly nodeRef: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly arrivalMs: number;
  /** True if nodes are called by their names where their paths stand otherwise. */
  readonly hidesPaths?: boolean | undefined;
  /** Attributes of a chart node that are not saved, public JSON; absent = the chart as it is. */
  readonly draft?: Uint8Array | undefined;
};

export type Image = { readonly contentType: string; readonly bytes: Uint8Array };

/**
 * Draws the chart of a parameter, of several, or of a chart node (docs/reference/charts.md#chart-endpoint): arguments, then node, then
 * records, then the picture; the first that refuses answers (docs/reference/requests-and-errors.md#order-of-checks).
 * @throws DomainError invalid_argument | not_found | permission_denied | failed_precondition | too_large | unavailable
 */
export async function renderNode(given: RenderDeps, command: RenderChart, call: Call): Promise<Image> {
  const deps = command.hidesPaths ? { ...given, nodes: withoutPaths(given.nodes) } : given;
  const asked = readChartArguments(command.arguments, command.arrivalMs);
  const { format, scale } = asked;
  const chart = await pictureOf(deps, command, { asked, nowMs: command.arrivalMs, call });
  const bytes = await deps.drawing.draw({ chart, format, scale }, call.signal);
  if (bytes.byteLength > deps.maxBytes) throw tooLarge();
  return { contentType: CONTENT_TYPES[format], bytes };
}

async function pictureOf(deps: RenderDeps, command: RenderChart, asking: Asking): Promise<Picture> {
  const { nodeRef, arguments: given } = command;
  if (nodeRef === '') return parametersChart(deps, given, asking);
  const node = await deps.nodes.get(nodeRef, asking.call, command.draft);
  if (!('attributes' in node)) return parameterChart(deps, node, asking);
  checkChartNodeArguments(given);
  return CHARTS[node.class](deps, node, asking);
}

const CHARTS: Readonly<
  Record<ChartNode['class'], (deps: RenderDeps, node: ChartNode, asking: Asking) => Promise<Picture>>
> = {
  'chart.HistoricChart': historicChart,
  'chart.WindRoseChart': windRose,
  'chart.DisplacementChart': displacementChart,
};
