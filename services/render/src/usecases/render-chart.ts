import { tooLarge } from '@catchment/errors';
import type { Chart } from '../domain/chart.ts';
import { type ChartArguments, evaluateRange, needsEdges, readChartArguments } from '../domain/chart-arguments.ts';
import { chartSeriesOf, type Records, type Rendering, renderingOf } from '../domain/chart-series.ts';
import { showsQuality } from '../domain/chart-settings.ts';
import { CONTENT_TYPES } from '../domain/image-format.ts';
import type { Parameter } from '../domain/parameter.ts';
import { type AggregateArguments, automaticArguments, describeAggregate, MAX_RAW } from '../domain/reduction.ts';
import type { Call, Drawing, Parameters, Qualities, SeriesRecords } from './ports.ts';

export type RenderDeps = {
  readonly parameters: Parameters;
  readonly records: SeriesRecords;
  readonly qualities: Qualities;
  readonly drawing: Drawing;
  readonly maxRecords: number;
  readonly maxBytes: number;
};

export type RenderChart = {
  readonly nodeRef: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly arrivalMs: number;
};

export type Image = { readonly contentType: string; readonly bytes: Uint8Array };

/**
 * The chart of one parameter (docs/reference/charts.md#chart-endpoint): arguments, then node, then records, then the
 * picture; the first that refuses answers (docs/reference/requests-and-errors.md#order-of-checks).
 * @throws DomainError invalid_argument | not_found | permission_denied | failed_precondition | too_large | unavailable
 */
export async function renderChart(deps: RenderDeps, command: RenderChart, call: Call): Promise<Image> {
  const asked = readChartArguments(command.arguments, command.arrivalMs);
  const parameter = await deps.parameters.get(command.nodeRef, call);
  const rendering = renderingOf(parameter, asked);
  const range = await rangeOf(deps, asked, parameter, command.arrivalMs, call);
  const qualityColors = showsQuality(rendering.settings) ? await deps.qualities.colors(call) : undefined;
  const { format, width, height, scale, title, subtitle, zone, zoneLabel } = asked;
  const chartOf = ({ records, reducedTo }: Read): Chart => ({
    series: [{ ...chartSeriesOf(parameter, rendering, records, range), ...(qualityColors && { qualityColors }) }],
    ...range,
    zone: zone.name,
    footer: reducedTo ? `${zoneLabel} · ${describeAggregate(reducedTo)}` : zoneLabel,
    width,
    height,
    ...(title !== undefined && { title }),
    ...(subtitle !== undefined && { subtitle }),
  });
  const columnsOf = async (records: Records) =>
    Math.round((await deps.drawing.plotWidth(chartOf({ records }), call.signal)) * (format === 'SVG' ? 1 : scale));
  const wanted = { asked, parameter, rendering, range, columnsOf, nowMs: command.arrivalMs };
  const chart = chartOf(await read(deps, wanted, call));
  const bytes = await deps.drawing.draw({ chart, format, scale }, call.signal);
  if (bytes.byteLength > deps.maxBytes) throw tooLarge();
  return { contentType: CONTENT_TYPES[format], bytes };
}

type Wanted = {
  readonly asked: ChartArguments;
  readonly parameter: Parameter;
  readonly rendering: Rendering;
  readonly range: { readonly startMs: number; readonly endMs: number };
  /** Columns of output pixels in the plot of a chart of these records. */
  readonly columnsOf: (records: Records) => Promise<number>;
  readonly nowMs: number;
};

/** What is drawn; with the aggregate whose results these are. */
type Read = { readonly records: Records; readonly reducedTo?: AggregateArguments };

/**
 * Raw records, or fewer in their place, and what of (docs/reference/charts.md#automatic-aggregation).
 * @throws DomainError too_large
 */
async function read(deps: RenderDeps, wanted: Wanted, call: Call): Promise<Read> {
  const { records, maxRecords } = deps;
  const { asked, parameter, rendering, range, nowMs } = wanted;
  const { reduction, kind } = rendering;
  if (reduction.kind !== 'GIVEN') {
    const most = reduction.kind === 'RAW' ? maxRecords : Math.min(MAX_RAW, maxRecords);
    const raw = await records.read(parameter, { ...range, maxRecords: most }, call);
    if (!raw.isCut) return { records: raw };
    if (reduction.kind === 'RAW') throw tooLarge();
    if (reduction.kind === 'OUTLINE') return { records: await readOutline(deps, wanted, raw, call) };
  }
  const reduced = reduction.kind === 'GIVEN' ? reduction.arguments : automaticArguments(reduction, range);
  const renderType = kind === 'STEPS' ? 'STATE' : 'VALUE';
  const query = { ...asked.zoneArguments, ...reduced, renderType };
  const results = await records.aggregate(parameter, { ...range, maxRecords, arguments: query, nowMs }, call);
  if (!results) throw tooLarge();
  return { records: results, reducedTo: reduced };
}

/** The third time only where what is written meanwhile moves the axis. */
const MAX_OUTLINES = 3;

/**
 * The records that stand out in each pixel column of the plot. How wide that is follows from the labels of the value axis, and these from
 * the extremes: estimated by the first records, known by any outline, since all have the same extremes. So they are read twice at most.
 * @throws DomainError too_large
 */
async function readOutline(
  { records, maxRecords }: RenderDeps,
  { parameter, range, columnsOf }: Wanted,
  first: Records,
  call: Call,
): Promise<Records> {
  for (let columns = await columnsOf(first), count = 1; ; count += 1) {
    const outline = await records.outline(parameter, { ...range, columns, maxRecords }, call);
    if (!outline) throw tooLarge();
    const actual = await columnsOf(outline);
    if (actual === columns || count === MAX_OUTLINES) return outline;
    columns = actual;
  }
}

async function rangeOf(deps: RenderDeps, asked: ChartArguments, parameter: Parameter, nowMs: number, call: Call) {
  const edges = needsEdges(asked) ? await deps.records.edges(parameter, call) : {};
  return evaluateRange(asked, { nowMs, ...edges });
}
