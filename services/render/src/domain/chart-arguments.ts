import { invalid } from '@catchment/errors';
import { type ArgumentsOf, argumentReader, CHART, readZone } from '@catchment/query';
import { type EffectiveZone, evaluateOpc, type OpcContext, type TimeArgument } from '@catchment/time';
import type { ImageFormat } from './image-format.ts';
import type { AggregateArguments } from './reduction.ts';

/** GET /nodes/:id/historic/chart has these arguments, checked (docs/reference/charts.md#chart-endpoint). */
export type ChartArguments = {
  readonly format: ImageFormat;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixel formats have this many output pixels per pixel. */
  readonly scale: number;
  readonly title?: string;
  readonly subtitle?: string;
  readonly zone: EffectiveZone;
  /** The time axis shows this name. */
  readonly zoneLabel: string;
  /** Absent: a chart node's own; a parameter has none. */
  readonly start?: TimeArgument;
  readonly end?: TimeArgument;
  /** Absent: the parameter's display type. */
  readonly renderType?: 'VALUE' | 'STATE';
  /** Absent: the parameter's chart setting. */
  readonly baselineType?: 'ABSOLUTE' | 'RELATIVE';
  /** Absent: the parameter's chart setting. With `aggregate` NONE there is nothing else in it. */
  readonly aggregation?: AggregateArguments;
  /** Those that are asked in turn get timezone and timezoneAdjustForDst as given. */
  readonly zoneArguments: Readonly<Record<string, string>>;
};

type Given = Readonly<Record<string, string>>;
type Read = <Name extends keyof typeof CHART>(name: Name) => ArgumentsOf<typeof CHART>[Name];

/**
 * @param raw arguments by documented name, decoded once; unknown names are ignored (docs/reference/query-arguments.md#decoding)
 * @param arrivalMs when the request arrived: the NOW of relative times
 * @throws DomainError invalid_argument naming the argument and its rule
 */
export function readChartArguments(raw: Readonly<Record<string, string>>, arrivalMs: number): ChartArguments {
  const zone = readZone(raw, arrivalMs);
  const read = argumentReader(CHART, raw, zone);
  const size = { format: read('format'), width: read('width'), height: read('height'), scale: read('scale') };
  const [title, subtitle] = [read('title'), read('subtitle')];
  const [renderType, baselineType] = [read('renderType'), read('baselineType')];
  const aggregation = aggregationArguments(read, raw);
  const [start, end] = [read('startTime'), read('endTime')];
  if (start && end && !needsEdges({ start, end })) evaluateRange({ start, end, zone }, { nowMs: arrivalMs });
  return {
    ...size,
    ...(title !== undefined && { title }),
    ...(subtitle !== undefined && { subtitle }),
    zone,
    zoneLabel: /^[+-]/.test(zone.name) ? `UTC${zone.name}` : zone.name,
    ...(start && { start }),
    ...(end && { end }),
    ...(renderType !== undefined && { renderType }),
    ...(baselineType !== undefined && { baselineType }),
    ...(aggregation && { aggregation }),
    zoneArguments: given(raw, ['timezone', 'timezoneAdjustForDst']),
  };
}

const given = (raw: Given, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (raw[name] ? [[name, raw[name]]] : [])));

export type TimeRange = { readonly start: TimeArgument; readonly end: TimeArgument };

/** Returns the range that a parameter's chart must be given. @throws DomainError invalid_argument */
export function parameterRange({ start, end }: ChartArguments): TimeRange {
  const given = <T>(name: string, time: T | undefined): T => {
    if (time !== undefined) return time;
    throw invalid('ARGUMENT_MISSING', `${name} must be given for the chart of a parameter`);
  };
  return { start: given('startTime', start), end: given('endTime', end) };
}

const OF_PARAMETERS = [
  'renderType',
  'aggregate',
  'percentile',
  'baseTime',
  'interval',
  'intervalInclude',
  'baselineType',
] as const;

/** A chart node says itself how its series are drawn. @throws DomainError invalid_argument */
export function checkChartNodeArguments(raw: Given): void {
  for (const name of OF_PARAMETERS)
    if (raw[name] !== undefined) throw invalid('INVALID_ARGUMENT', `${name} must not be given for a chart node`);
}

/** Returns whether FIRST or LAST is used, so that the series' first and last record must be known. */
export const needsEdges = ({ start, end }: TimeRange): boolean =>
  [start, end].some((time) => time.kind === 'relative' && ['FIRST', 'LAST'].includes(time.expression.base));

/**
 * Evaluates the range to Unix ms, both inclusive.
 * @throws DomainError invalid_argument when it ends before it starts
 */
export function evaluateRange(
  { start, end, zone }: TimeRange & Pick<ChartArguments, 'zone'>,
  context: OpcContext,
): { startMs: number; endMs: number } {
  const at = (argument: string, time: TimeArgument): number =>
    time.kind === 'instant' ? time.instantMs : evaluateOpc(time.expression, { ...context, zone }, argument);
  const startMs = at('startTime', start);
  const endMs = at('endTime', end);
  if (startMs > endMs) throw invalid('INVALID_RANGE', 'startTime must not be after endTime');
  return { startMs, endMs };
}

/** @throws DomainError invalid_argument, also when an aggregate of intervals has none (docs/reference/aggregates.md#which-aggregates) */
function aggregationArguments(read: Read, raw: Given): AggregateArguments | undefined {
  const aggregate = read('aggregate');
  read('intervalInclude');
  const intervals = { baseTime: read('baseTime'), interval: read('interval') };
  const isPercentile = aggregate === 'PERCENTILE';
  const needed = { ...(isPercentile && { percentile: read('percentile') }), ...intervals };
  if (aggregate === undefined) return undefined;
  if (aggregate === 'NONE' || aggregate === 'CHANGE') return { aggregate };
  for (const [name, value] of Object.entries(needed))
    if (value === undefined) throw invalid('ARGUMENT_MISSING', `${name} must be given with aggregate ${aggregate}`);
  return { ...given(raw, [...Object.keys(needed), 'intervalInclude']), aggregate };
}
