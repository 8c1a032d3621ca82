import { invalid } from '@catchment/errors';
import { calendarUnit, movedLocalMs, startOf, unitMs, type WallTime, wallTimeAt, wallTimeOf } from './calendar.ts';
import { isInstantMs, MAX_YEAR, MIN_YEAR } from './civil.ts';
import { tryParseInstantMs } from './iso-parse.ts';
import { type OpcExpression, type OpcPeriod, type OpcUnit, parseOpc, parsePeriod } from './opc-parse.ts';
import { type EffectiveZone, fixedZone, UTC_ZONE } from './zone.ts';

/** An OPC expression refers to these times. All are UTC milliseconds. */
export interface OpcContext {
  readonly nowMs: number;
  /** UTC when absent. */
  readonly zone?: EffectiveZone;
  /** The earliest record of the series has this time; null = the series has no data (then NOW); absent = there is no series. */
  readonly firstMs?: number | null;
  /** The most recent record has this time; null and absent as above. */
  readonly lastMs?: number | null;
}

/**
 * Returns UTC milliseconds of an OPC expression (docs/reference/time.md#relative-time). The zone of the expression (`[+10:00]`), if
 * any, rules its base and its offsets, otherwise that of the context. Hours, minutes and seconds are elapsed time.
 * @param argument what a refusal calls the value
 * @throws DomainError invalid_argument: FIRST or LAST without a series, result outside the years 1800-9998
 */
export function evaluateOpc(expression: OpcExpression, context: OpcContext, argument = 'time'): number {
  const zone = zoneOf(expression, context);
  let time = startTime(expression, context, zone, argument);
  for (const { amount, unit } of expression.offsets) {
    const moved = moveDate(time, amount, unit, zone);
    time = inYears(moved ?? wallTimeOf(time.instantMs + amount * unitMs(unit), zone), argument);
  }
  return time.instantMs;
}

/**
 * Returns the base of intervals (docs/reference/aggregates.md#intervals): hours, minutes and seconds that follow a day or a larger unit are
 * clock time, so that `D+9H` is nine on the clock of every day. Steps from it begin at its local time.
 * @throws DomainError as `evaluateOpc`
 */
export function evaluateBase(expression: OpcExpression, context: OpcContext, argument = 'baseTime'): WallTime {
  const zone = zoneOf(expression, context);
  let time = startTime(expression, context, zone, argument);
  let isOnClock = calendarUnit(expression.base as OpcUnit) !== undefined;
  for (const { amount, unit } of expression.offsets) {
    const moved = moveDate(time, amount, unit, zone);
    isOnClock ||= moved !== undefined;
    const offsetMs = amount * unitMs(unit);
    time = inYears(moved ?? (isOnClock ? wallTimeAt(time.localMs + offsetMs, zone) : later(time, offsetMs)), argument);
  }
  return time;

  function later({ instantMs }: WallTime, offsetMs: number): WallTime {
    return wallTimeOf(instantMs + offsetMs, zone);
  }
}

/** Returns the zone in which an expression counts. */
export const zoneOf = ({ zoneOffsetMs }: OpcExpression, { zone }: Pick<OpcContext, 'zone'>): EffectiveZone =>
  zoneOffsetMs === undefined ? (zone ?? UTC_ZONE) : fixedZone(zoneOffsetMs);

function inYears(time: WallTime, argument: string): WallTime {
  if (isInstantMs(time.instantMs)) return time;
  throw invalid('INVALID_TIME', `${argument} must stay within the years ${MIN_YEAR}-${MAX_YEAR}`);
}

/** Undefined for hours, minutes and seconds. */
function moveDate(time: WallTime, amount: number, unit: OpcUnit, zone: EffectiveZone): WallTime | undefined {
  const step = calendarUnit(unit);
  if (step === undefined || amount === 0) return step && time;
  return wallTimeAt(movedLocalMs(time.localMs, step.months * amount, step.days * amount), zone);
}

function startTime({ base }: OpcExpression, context: OpcContext, zone: EffectiveZone, argument: string): WallTime {
  if (base === 'NOW') return wallTimeOf(context.nowMs, zone);
  if (base !== 'FIRST' && base !== 'LAST') return startOf(context.nowMs, base, zone);
  const recordMs = base === 'FIRST' ? context.firstMs : context.lastMs;
  if (recordMs === undefined)
    throw invalid('INVALID_TIME', `${argument} must not use ${base}: there is no series here`);
  return wallTimeOf(recordMs ?? context.nowMs, zone);
}

/** A time argument before its evaluation: FIRST and LAST need the series. */
export type TimeArgument =
  | { readonly kind: 'instant'; readonly instantMs: number }
  | { readonly kind: 'relative'; readonly expression: OpcExpression };

/**
 * Reads a `startTime`, `endTime` or `nowTime` argument: ISO is tried first, then OPC (docs/reference/time.md#input-timestamps); a
 * blank where a sign must stand is a `+` (docs/reference/query-arguments.md#decoding).
 * @throws DomainError invalid_argument
 */
export function readTimeArgument(argument: string, text: string, zone: EffectiveZone = UTC_ZONE): TimeArgument {
  const instantMs = tryParseInstantMs(text, { zone, spaceAsPlus: true });
  if (instantMs !== undefined) return { kind: 'instant', instantMs };
  const expression = parseOpc(text, { spaceAsPlus: true });
  if (expression !== undefined) return { kind: 'relative', expression };
  throw invalid(
    'INVALID_TIME',
    `${argument} must be an ISO 8601 timestamp (year ${MIN_YEAR}-${MAX_YEAR}) or a relative time such as NOW-1D`,
  );
}

/**
 * Joins `readTimeArgument` and `evaluateOpc`: returns UTC milliseconds.
 * @throws DomainError invalid_argument
 */
export function parseTimeArgument(argument: string, text: string, context: OpcContext): number {
  const time = readTimeArgument(argument, text, context.zone);
  return time.kind === 'instant' ? time.instantMs : evaluateOpc(time.expression, context, argument);
}

/**
 * A `baseTime` argument: OPC only.
 * @throws DomainError invalid_argument
 */
export function parseOpcArgument(argument: string, text: string): OpcExpression {
  const expression = parseOpc(text, { spaceAsPlus: true });
  if (expression === undefined) {
    throw invalid('INVALID_TIME', `${argument} must be a relative time such as D, NOW-1H or MO+6H`);
  }
  return expression;
}

/**
 * An `interval` argument.
 * @throws DomainError invalid_argument
 */
export function parsePeriodArgument(argument: string, text: string): OpcPeriod {
  const period = parsePeriod(text);
  if (period === undefined) {
    throw invalid('INVALID_INTERVAL', `${argument} must be an interval above 0 such as 30M, 1H30M, 1D or 1MO`);
  }
  return period;
}
