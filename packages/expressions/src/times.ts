import {
  addUnits,
  type EffectiveZone,
  effectiveZone,
  formatIsoMs,
  formatTime,
  isInstantMs,
  type OpcUnit,
  parseTimeArgument,
  UTC_ZONE,
} from '@catchment/time';
import { broken } from './budget.ts';
import { integerOf, isNil, textOf } from './values.ts';

/** Filters of times go by this. */
export type Clock = {
  /** Relative times, `now` and `today` are relative to this, in UTC milliseconds. */
  readonly nowMs: number;
  /** `time` prints in this zone without one of its own; UTC by default. */
  readonly zone?: EffectiveZone;
};

const DEFAULT_FORMAT = 'YYYY-MM-DD HH:mm:ss';

/** docs/reference/expressions.md#time-filters; nil stays nil. */
export function time(clock: Clock, input: unknown, format: unknown, timezone: unknown, adjustForDst: unknown): unknown {
  if (isNil(input)) return input;
  const zone = isNil(timezone)
    ? (clock.zone ?? UTC_ZONE)
    : effectiveZone(textOf(timezone), textOf(adjustForDst) !== 'false', clock.nowMs, 'the time zone');
  const instantMs = parseTimeArgument('the time', textOf(input), { nowMs: clock.nowMs, zone });
  return formatTime(instantMs, isNil(format) ? DEFAULT_FORMAT : textOf(format), zone);
}

const MILLISECONDS = 'milliseconds';
const UNITS: Readonly<Record<string, OpcUnit>> = {
  years: 'Y',
  months: 'MO',
  weeks: 'W',
  days: 'D',
  hours: 'H',
  minutes: 'M',
  seconds: 'S',
};

/** The time moved by a signed number of units, ISO in UTC. */
export function moved(clock: Clock, input: unknown, amount: unknown, unit: unknown, sign: 1 | -1): unknown {
  if (isNil(input)) return input;
  const fromMs = parseTimeArgument('the time', textOf(input), { nowMs: clock.nowMs });
  const step = sign * integerOf(amount, 'the number of units');
  const name = textOf(unit);
  const opcUnit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  if (opcUnit === undefined && name !== MILLISECONDS)
    throw broken(`the unit must be one of ${[...Object.keys(UNITS), MILLISECONDS].join(', ')}`);
  const toMs = opcUnit === undefined ? fromMs + step : addUnits(fromMs, step, opcUnit, UTC_ZONE);
  if (!isInstantMs(toMs)) throw broken('the time is out of range');
  return formatIsoMs(toMs);
}

/** Our format tokens make the conversions of strftime; a blank before a token stands for padding with a blank. */
const STRFTIME: Readonly<Record<string, string>> = {
  a: 'ddd',
  A: 'dddd',
  b: 'MMM',
  B: 'MMMM',
  c: 'ddd MMM DD HH:mm:ss YYYY',
  d: 'DD',
  D: 'MM/DD/YY',
  e: ' D',
  F: 'YYYY-MM-DD',
  g: 'GG',
  G: 'GGGG',
  h: 'MMM',
  H: 'HH',
  I: 'hh',
  j: 'DDDD',
  k: ' H',
  l: ' h',
  L: 'SSS',
  m: 'MM',
  M: 'mm',
  N: 'SSSSSSSSS',
  p: 'A',
  P: 'a',
  r: 'hh:mm:ss A',
  R: 'HH:mm',
  s: 'X',
  S: 'ss',
  T: 'HH:mm:ss',
  u: 'E',
  V: 'WW',
  w: 'd',
  x: 'MM/DD/YY',
  X: 'HH:mm:ss',
  y: 'YY',
  Y: 'YYYY',
  z: 'ZZ',
  Z: '[UTC]',
  n: '[\n]',
  t: '[\t]',
  '%': '[%]',
};
const CONVERSION = /%([-^]?)([a-zA-Z%])/g;

/** `date` prints by strftime, in UTC (docs/reference/expressions.md#filters). `%-d` drops padding, `%^a` prints capitals. */
export function date(clock: Clock, input: unknown, format: unknown): unknown {
  if (isNil(input)) return input;
  const text = textOf(input);
  const instantMs =
    text === 'now' || text === 'today' ? clock.nowMs : parseTimeArgument('the date', text, { nowMs: clock.nowMs });
  return textOf(format).replaceAll(CONVERSION, (whole, flag: string, conversion: string) => {
    const token = Object.hasOwn(STRFTIME, conversion) ? STRFTIME[conversion]! : undefined;
    if (token === undefined) return whole;
    const printed = token.startsWith(' ')
      ? formatTime(instantMs, token.slice(1)).padStart(2)
      : formatTime(instantMs, token);
    if (flag === '^') return printed.toUpperCase();
    return flag === '-' ? printed.replace(/^[ 0]+(?=.)/, '') : printed;
  });
}
