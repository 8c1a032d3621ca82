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

/** What a request asks for, and when. */
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
  const { records, reducedTo } = await recordsOf(deps, { asked, parameter, rendering, range, nowMs }, call);
  const qualityColors = showsQuality(rendering.settings) ? await deps.qualities.colors(call) : undefined;
  const shown = await ownStates(deps.preferences, call)(parameter, rendering);
  const { width, height, title, subtitle, zone, zoneLabel } = asked;
  return {
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
  };
}

type Wanted = {
  readonly asked: ChartArguments;
  readonly parameter: Parameter;
  readonly rendering: Rendering;
  readonly range: { readonly startMs: number; readonly endMs: number };
  readonly nowMs: number;
};

/**
 * Raw records, or fewer results in their place, and of what (docs/reference/charts.md#automatic-aggregation).
 * @throws DomainError too_large
 */
export async function recordsOf(
  { records, maxRecords }: Pick<RenderDeps, 'records' | 'maxRecords'>,
  { asked, parameter, rendering, range, nowMs }: Wanted,
  call: Call,
): Promise<{ readonly records: Records; readonly reducedTo?: AggregateArguments }> {
  const { reduction, kind } = rendering;
  if (reduction.kind !== 'GIVEN') {
    const most = reduction.kind === 'RAW' ? maxRecords : Math.min(MAX_RAW, maxRecords);
    const raw = await records.read(parameter, { ...range, maxRecords: most }, call);
    if (raw) return { records: raw };
    if (reduction.kind === 'RAW') throw tooLarge();
  }
  const reduced = reduction.kind === 'GIVEN' ? reduction.arguments : automaticArguments(reduction, range);
  const renderType = kind === 'STEPS' ? 'STATE' : 'VALUE';
  const query = { ...asked.zoneArguments, ...reduced, renderType };
  const results = await records.aggregate(parameter, { ...range, maxRecords, arguments: query, nowMs }, call);
  if (!results) throw tooLarge();
  return { records: results, reducedTo: reduced };
}
