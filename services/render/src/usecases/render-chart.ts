import { gapMsOf, inRange, LEARNT_RECORDS } from '@catchment/dashboard-view';
import { tooLarge } from '@catchment/errors';
import type { Chart } from '../domain/chart.ts';
import { PLAIN_AXIS } from '../domain/chart.ts';
import { type ChartArguments, parameterRange } from '../domain/chart-arguments.ts';
import { chartSeriesOf, type Records, type Rendering, renderingOf } from '../domain/chart-series.ts';
import { showsQuality } from '../domain/chart-settings.ts';
import type { Parameter } from '../domain/parameter.ts';
import { type AggregateArguments, automaticArguments, describeAggregate, MAX_RAW } from '../domain/reduction.ts';
import { evaluatedRange } from './evaluated-range.ts';
import { ownStates } from './own-states.ts';
import type { Call, ChartedNodes, Drawing, Preferences, Qualities, SeriesRecords } from './ports.ts';

export type RenderDeps = {
  readonly nodes: ChartedNodes;
  readonly records: SeriesRecords;
  readonly qualities: Qualities;
  readonly preferences: Preferences;
  readonly drawing: Drawing;
  readonly maxRecords: number;
  readonly maxBytes: number;
};

/** A request asks for this, at this time. */
export type Asking = { readonly asked: ChartArguments; readonly nowMs: number; readonly call: Call };

/** The chart of one parameter. @throws DomainError as `renderNode` */
export async function parameterChart(
  deps: RenderDeps,
  parameter: Parameter,
  { asked, nowMs, call }: Asking,
): Promise<Chart> {
  const times = parameterRange(asked);
  const rendering = renderingOf(parameter, asked);
  const range = await evaluatedRange(deps.records, { ...times, zone: asked.zone }, [parameter], { nowMs, call });
  const qualityColors = showsQuality(rendering.settings) ? await deps.qualities.colors(call) : undefined;
  const shown = await ownStates(deps.preferences, call)(parameter, rendering);
  const { width, height, title, subtitle, zone, zoneLabel } = asked;
  const chartOf = ({ records, reducedTo }: Read): Chart => ({
    kind: 'TIME',
    series: [{ ...chartSeriesOf(shown, rendering, records, range), ...(qualityColors && { qualityColors }) }],
    axes: [PLAIN_AXIS],
    timeAxis: 'BOTTOM',
    ...range,
    zone: zone.name,
    footer: reducedTo ? `${zoneLabel} · ${describeAggregate(reducedTo)}` : zoneLabel,
    width,
    height,
    ...(title !== undefined && { title }),
    ...(subtitle !== undefined && { subtitle }),
  });
  const columnsOf = async (records: Records) =>
    Math.round((await deps.drawing.plotWidth(chartOf({ records }), call.signal)) * outputScale(asked));
  return chartOf(await recordsOf(deps, { asked, parameter, rendering, range, columnsOf, nowMs }, call));
}

/** Returns output pixels per pixel of the chart. */
export const outputScale = ({ format, scale }: ChartArguments): number =>
  format === 'SVG' || format === 'PDF' ? 1 : scale;

type Wanted = {
  readonly asked: ChartArguments;
  readonly parameter: Parameter;
  readonly rendering: Rendering;
  readonly range: { readonly startMs: number; readonly endMs: number };
  /** Returns the columns of output pixels in the plot of a chart of these records; more show the same. */
  readonly columnsOf: (records: Records) => Promise<number>;
  readonly nowMs: number;
};

/** The records are drawn; with the aggregate whose results these are. */
type Read = { readonly records: Records; readonly reducedTo?: AggregateArguments };

/**
 * Returns raw records, or fewer in their place and their aggregate (docs/reference/charts.md#automatic-aggregation).
 * @throws DomainError too_large
 */
export async function recordsOf(
  deps: Pick<RenderDeps, 'records' | 'maxRecords'>,
  wanted: Wanted,
  call: Call,
): Promise<Read> {
  const { records, maxRecords } = deps;
  const { asked, parameter, rendering, range, nowMs } = wanted;
  const { reduction, kind } = rendering;
  if (reduction.kind === 'OUTLINE') return { records: await readOutline(deps, wanted, call) };
  if (reduction.kind !== 'GIVEN') {
    const most = reduction.kind === 'RAW' ? maxRecords : Math.min(MAX_RAW, maxRecords);
    const raw = await records.read(parameter, { ...range, maxRecords: most }, call);
    if (!raw.isCut) return { records: { ...raw, gapMs: await gapIn(raw, wanted, deps, call) } };
    if (reduction.kind === 'RAW') throw tooLarge();
  }
  const reduced = reduction.kind === 'GIVEN' ? reduction.arguments : automaticArguments(reduction, range);
  const renderType = kind === 'STEPS' ? 'STATE' : 'VALUE';
  const query = { ...asked.zoneArguments, ...reduced, renderType };
  const results = await records.aggregate(parameter, { ...range, maxRecords, arguments: query, nowMs }, call);
  if (!results) throw tooLarge();
  return { records: results, reducedTo: reduced };
}

/**
 * Returns the longest step over which a line is drawn; where too few records are shown to know it, earlier records are
 * read.
 */
async function gapIn(
  shown: Records,
  { parameter, rendering, range, nowMs }: Wanted,
  { records }: Pick<RenderDeps, 'records'>,
  call: Call,
): Promise<number> {
  const { reduction, settings } = rendering;
  const { expectedIntervalSeconds } = settings;
  const { from, to } = inRange(shown.timestamps, range.startMs, range.endMs);
  const areAll = shown.isWhole || !(shown.isCut || reduction.kind === 'OUTLINE');
  const isEnough = expectedIntervalSeconds !== null || (to - from >= LEARNT_RECORDS && areAll);
  if (isEnough) return gapMsOf(expectedIntervalSeconds, shown.timestamps.subarray(from, to));
  const query = { endMs: range.endMs, limit: LEARNT_RECORDS, maxRecords: LEARNT_RECORDS, arguments: {}, nowMs };
  const last = await records.rows(parameter, query, call);
  return gapMsOf(null, last?.timestamps ?? []);
}

/** The third time only where what is written meanwhile moves the axis. */
const MAX_OUTLINES = 3;
const NO_RECORDS: Records = { timestamps: new Float64Array(0), values: new Float64Array(0) };

/**
 * Reads all records, or of many those that stand out in each pixel column of the plot. How wide that is follows from the labels of the
 * value axis, and these from the extremes: most labels have the room that they have without any records, others make the outline be read
 * once more, since all outlines have the same extremes.
 * @throws DomainError too_large
 */
async function readOutline(
  deps: Pick<RenderDeps, 'records' | 'maxRecords'>,
  wanted: Wanted,
  call: Call,
): Promise<Records> {
  const { records, maxRecords } = deps;
  const { parameter, range, columnsOf } = wanted;
  const limits = { wholeUpTo: Math.min(MAX_RAW, maxRecords), maxRecords };
  for (let columns = await columnsOf(NO_RECORDS), count = 1; ; count += 1) {
    const outline = await records.outline(parameter, { ...range, columns, ...limits }, call);
    if (!outline) throw tooLarge();
    const actual = outline.isWhole ? columns : await columnsOf(outline);
    if (actual === columns || count === MAX_OUTLINES) {
      const gapMs = await gapIn(outline, wanted, deps, call);
      // Neighbours within a column may have had others between them.
      const columnMs = outline.isWhole ? 0 : (range.endMs - range.startMs) / columns;
      return { ...outline, gapMs: Math.max(gapMs, columnMs) };
    }
    columns = actual;
  }
}
