import { invalid } from '@catchment/errors';
import {
  type EffectiveZone,
  effectiveZone,
  evaluateOpc,
  type OpcContext,
  parseOpcArgument,
  parsePeriodArgument,
  readTimeArgument,
  type TimeArgument,
} from '@catchment/time';
import { IMAGE_FORMATS, type ImageFormat } from './image-format.ts';
import { booleanArgument, choiceArgument, givenText, intArgument, numberArgument } from './raw-arguments.ts';

/** The arguments of GET /nodes/:id/historic/chart for a parameter, checked (semantics 14.1). */
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
};

const SIZE = { min: 100, max: 4000 };
const MAX_TITLE = 200;

/**
 * @param raw arguments by documented name, decoded once; unknown names are ignored (semantics 2.1)
 * @param arrivalMs when the request arrived: the NOW of relative times
 * @throws DomainError invalid_argument naming the argument and its rule
 */
export function readChartArguments(raw: Readonly<Record<string, string>>, arrivalMs: number): ChartArguments {
  const format = choiceArgument(raw, 'format', IMAGE_FORMATS) ?? 'PNG';
  const width = intArgument(raw, 'width', SIZE) ?? 1200;
  const height = intArgument(raw, 'height', SIZE) ?? 800;
  const scale = numberArgument(raw, 'scale', { min: 1, max: 4 }) ?? 1;
  const title = titleArgument(raw, 'title');
  const subtitle = titleArgument(raw, 'subtitle');
  const zone = effectiveZone(
    givenText(raw, 'timezone') ?? 'Etc/UTC',
    booleanArgument(raw, 'timezoneAdjustForDst') ?? false,
    arrivalMs,
  );
  const renderType = choiceArgument(raw, 'renderType', ['VALUE', 'STATE']);
  const baselineType = choiceArgument(raw, 'baselineType', ['ABSOLUTE', 'RELATIVE']);
  checkAggregation(raw);
  const range = { start: timeArgument(raw, 'startTime', zone), end: timeArgument(raw, 'endTime', zone) };
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
  };
}

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

function timeArgument(raw: Readonly<Record<string, string>>, name: string, zone: EffectiveZone): TimeArgument {
  const text = givenText(raw, name);
  if (text === undefined) throw invalid('ARGUMENT_MISSING', `${name} must be given for the chart of a parameter`);
  return readTimeArgument(name, text, zone);
}

/** Given empty, a title is an empty title: none is drawn (semantics 2.1 rule 6). */
function titleArgument(raw: Readonly<Record<string, string>>, name: string): string | undefined {
  const text = raw[name];
  if (text !== undefined && [...text].length > MAX_TITLE) {
    throw invalid('INVALID_ARGUMENT', `${name} must have at most ${MAX_TITLE} characters`);
  }
  return text;
}

/** Charts draw raw records; the arguments of aggregates must be well-formed all the same. */
function checkAggregation(raw: Readonly<Record<string, string>>): void {
  const aggregate = givenText(raw, 'aggregate');
  if (aggregate !== undefined && aggregate.toUpperCase() !== 'NONE') {
    throw invalid('AGGREGATE_NOT_OFFERED', 'aggregate must be NONE: charts draw raw records');
  }
  choiceArgument(raw, 'intervalInclude', ['PARTIAL', 'COMPLETE']);
  const baseTime = givenText(raw, 'baseTime');
  if (baseTime !== undefined) parseOpcArgument('baseTime', baseTime);
  const interval = givenText(raw, 'interval');
  if (interval !== undefined) parsePeriodArgument('interval', interval);
}
