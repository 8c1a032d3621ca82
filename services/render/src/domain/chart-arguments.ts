import { invalid } from '@catchment/errors';
import { type ArgumentReader, readArguments } from '@catchment/query';
import { type EffectiveZone, evaluateOpc, type OpcContext, type TimeArgument } from '@catchment/time';
import { IMAGE_FORMATS, type ImageFormat } from './image-format.ts';
import type { AggregateArguments } from './reduction.ts';

/** The arguments of GET /nodes/:id/historic/chart for a parameter, checked (docs/reference/charts.md#chart-endpoint). */
export type ChartArguments = {
  readonly format: ImageFormat;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Output pixels per pixel; pixel formats only. */
  readonly scale: number;
  readonly title?: string;
  readonly subtitle?: string;
  readonly zone: EffectiveZone;
  /** What the time axis calls the zone. */
  readonly zoneLabel: string;
  readonly start: TimeArgument;
  readonly end: TimeArgument;
  /** Absent: the parameter's display type. */
  readonly renderType?: 'VALUE' | 'STATE';
  /** Absent: the parameter's chart setting. */
  readonly baselineType?: 'ABSOLUTE' | 'RELATIVE';
  /** Absent: the parameter's chart setting. With `aggregate` NONE there is nothing else in it. */
  readonly aggregation?: AggregateArguments;
  /** timezone and timezoneAdjustForDst as given, for those that are asked in turn. */
  readonly zoneArguments: Readonly<Record<string, string>>;
};

const SIZE = { min: 100, max: 4000 };
const SCALE = { min: 1, max: 4 };
const MAX_TITLE = 200;
/** See docs/reference/aggregates.md#which-aggregates. */
const AGGREGATES = [
  'NONE',
  'CHANGE',
  'INTERPOLATED',
  'AVERAGE',
  'MEDIAN',
  'TOTAL',
  'MIN',
  'MAX',
  'RANGE',
  'DELTA',
  'COUNT',
  'START',
  'END',
  'MINIMUM',
  'MAXIMUM',
] as const;

/**
 * @param raw arguments by documented name, decoded once; unknown names are ignored (docs/reference/query-arguments.md#decoding)
 * @param arrivalMs when the request arrived: the NOW of relative times
 * @throws DomainError invalid_argument naming the argument and its rule
 */
export function readChartArguments(raw: Readonly<Record<string, string>>, arrivalMs: number): ChartArguments {
  const read = readArguments(raw);
  const format = read.oneOf('format', IMAGE_FORMATS) ?? 'PNG';
  const width = read.int('width', SIZE) ?? 1200;
  const height = read.int('height', SIZE) ?? 800;
  const scale = scaleArgument(read);
  const title = titleArgument(read, 'title');
  const subtitle = titleArgument(read, 'subtitle');
  const zone = read.zone(arrivalMs);
  const renderType = read.oneOf('renderType', ['VALUE', 'STATE']);
  const baselineType = read.oneOf('baselineType', ['ABSOLUTE', 'RELATIVE']);
  const aggregation = aggregationArguments(read);
  const range = { start: timeArgument(read, 'startTime', zone), end: timeArgument(read, 'endTime', zone) };
  if (!needsEdges(range)) evaluateRange({ ...range, zone }, { nowMs: arrivalMs });
  return {
    format,
    width,
    height,
    scale,
    ...(title !== undefined && { title }),
    ...(subtitle !== undefined && { subtitle }),
    zone,
    zoneLabel: /^[+-]/.test(zone.name) ? `UTC${zone.name}` : zone.name,
    ...range,
    ...(renderType !== undefined && { renderType }),
    ...(baselineType !== undefined && { baselineType }),
    ...(aggregation && { aggregation }),
    zoneArguments: given(read, ['timezone', 'timezoneAdjustForDst']),
  };
}

const given = (read: ArgumentReader, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = read.text(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );

type Range = Pick<ChartArguments, 'start' | 'end'>;

/** Whether FIRST or LAST is used, so that the series' first and last record must be known. */
export const needsEdges = ({ start, end }: Range): boolean =>
  [start, end].some((time) => time.kind === 'relative' && ['FIRST', 'LAST'].includes(time.expression.base));

/**
 * The range in Unix ms, both inclusive.
 * @throws DomainError invalid_argument when it ends before it starts
 */
export function evaluateRange(
  { start, end, zone }: Range & Pick<ChartArguments, 'zone'>,
  context: OpcContext,
): { startMs: number; endMs: number } {
  const at = (argument: string, time: TimeArgument): number =>
    time.kind === 'instant' ? time.instantMs : evaluateOpc(time.expression, { ...context, zone }, argument);
  const startMs = at('startTime', start);
  const endMs = at('endTime', end);
  if (startMs > endMs) throw invalid('INVALID_RANGE', 'startTime must not be after endTime');
  return { startMs, endMs };
}

function timeArgument(read: ArgumentReader, name: string, zone: EffectiveZone): TimeArgument {
  const time = read.time(name, zone);
  if (time === undefined) throw invalid('ARGUMENT_MISSING', `${name} must be given for the chart of a parameter`);
  return time;
}

/** Fractions are allowed (docs/reference/charts.md#chart-endpoint). */
function scaleArgument(read: ArgumentReader): number {
  const text = read.text('scale');
  if (text === undefined) return 1;
  const scale = /^\+?\d{1,15}(\.\d{0,15})?$/.test(text) ? Number(text) : Number.NaN;
  if (scale >= SCALE.min && scale <= SCALE.max) return scale;
  throw invalid('INVALID_ARGUMENT', `scale must be a number ${SCALE.min}-${SCALE.max}`);
}

/** Given empty, a title is an empty title: none is drawn (docs/reference/query-arguments.md#decoding, rule 6). */
function titleArgument(read: ArgumentReader, name: string): string | undefined {
  const text = read.textOrEmpty(name);
  if (text !== undefined && [...text].length > MAX_TITLE) {
    throw invalid('INVALID_ARGUMENT', `${name} must have at most ${MAX_TITLE} characters`);
  }
  return text;
}

/** @throws DomainError invalid_argument, also when an aggregate of intervals has none (docs/reference/aggregates.md#which-aggregates) */
function aggregationArguments(read: ArgumentReader): AggregateArguments | undefined {
  const word = read.oneOf('aggregate', AGGREGATES);
  read.oneOf('intervalInclude', ['PARTIAL', 'COMPLETE']);
  const intervals = { baseTime: read.relativeTime('baseTime'), interval: read.period('interval') };
  if (word === undefined) return undefined;
  const aggregate = word === 'MINIMUM' ? 'MIN' : word === 'MAXIMUM' ? 'MAX' : word;
  if (aggregate === 'NONE' || aggregate === 'CHANGE') return { aggregate };
  for (const [name, value] of Object.entries(intervals))
    if (value === undefined) throw invalid('ARGUMENT_MISSING', `${name} must be given with aggregate ${aggregate}`);
  return { ...given(read, ['baseTime', 'interval', 'intervalInclude']), aggregate };
}
