import { invalid } from '@catchment/errors';
import { DAY_MS, daysFromCivil, daysInMonth, HOUR_MS, isInstantMs, MAX_YEAR, MIN_YEAR, MINUTE_MS } from './civil.ts';
import type { EffectiveZone } from './zone.ts';

export interface InstantOptions {
  /** A text that names no zone has this; UTC when absent. */
  readonly zone?: EffectiveZone;
  /** Query arguments: a space where the sign of the offset must stand is read as `+` (docs/reference/query-arguments.md#decoding). */
  readonly spaceAsPlus?: boolean;
}

const NO_OPTIONS: InstantOptions = {};
const ZERO = 0x30;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const SPACE = 0x20;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

/** Reads two digits at `at`, or NaN: comparisons with NaN are false, so ranges are tested as `>= low && <= high`. */
function two(text: string, at: number): number {
  const high = text.charCodeAt(at) - ZERO;
  const low = text.charCodeAt(at + 1) - ZERO;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN;
}

const isUpTo = (value: number, max: number): boolean => value >= 0 && value <= max;

/** Returns the milliseconds of the offset that begins with the sign at `at` and ends the text: `±HH`, `±HHMM`, `±HH:MM`; else NaN. */
function offsetMs(text: string, at: number, sign: number): number {
  const rest = text.length - at;
  const hours = two(text, at + 1);
  let minutes = 0;
  if (rest === 6 && text.charCodeAt(at + 3) === COLON) minutes = two(text, at + 4);
  else if (rest === 5) minutes = two(text, at + 3);
  else if (rest !== 3) return Number.NaN;
  return isUpTo(hours, 23) && isUpTo(minutes, 59) ? sign * (hours * HOUR_MS + minutes * MINUTE_MS) : Number.NaN;
}

/**
 * Returns UTC milliseconds of an ISO timestamp in any form of docs/reference/time.md#input-timestamps, or undefined. Runs once per
 * record of every write: one pass over character codes, no regular expression, no object.
 */
export function tryParseInstantMs(text: string, options: InstantOptions = NO_OPTIONS): number | undefined {
  const length = text.length;
  if (length < 10 || length > 35 || text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS) return undefined;
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const day = two(text, 8);
  if (!(year >= MIN_YEAR && year <= MAX_YEAR && month >= 1 && month <= 12)) return undefined;
  if (!(day >= 1 && day <= daysInMonth(year, month))) return undefined;
  const midnightMs = daysFromCivil(year, month, day) * DAY_MS;
  if (length === 10) return options.zone === undefined ? midnightMs : options.zone.instantMsOf(midnightMs);

  if (length < 16 || text.charCodeAt(10) !== LETTER_T || text.charCodeAt(13) !== COLON) return undefined;
  const hour = two(text, 11);
  const minute = two(text, 14);
  if (!isUpTo(hour, 23) || !isUpTo(minute, 59)) return undefined;
  let localMs = midnightMs + hour * HOUR_MS + minute * MINUTE_MS;
  let at = 16;
  if (text.charCodeAt(at) === COLON) {
    const second = two(text, 17);
    if (!isUpTo(second, 59)) return undefined;
    localMs += second * 1000;
    at = 19;
    if (text.charCodeAt(at) === DOT) {
      let scale = 100;
      const first = ++at;
      for (; at < length; at++) {
        const digit = text.charCodeAt(at) - ZERO;
        if (digit < 0 || digit > 9) break;
        if (scale >= 1) localMs += digit * scale;
        scale /= 10;
      }
      if (at === first || at - first > 9) return undefined;
    }
  }

  if (at === length) return options.zone === undefined ? localMs : options.zone.instantMsOf(localMs);
  const mark = text.charCodeAt(at);
  if (mark === LETTER_Z) return at + 1 === length ? localMs : undefined;
  if (mark !== PLUS && mark !== MINUS && !(mark === SPACE && options.spaceAsPlus === true)) return undefined;
  const instantMs = localMs - offsetMs(text, at, mark === MINUS ? -1 : 1);
  return Number.isNaN(instantMs) ? undefined : instantMs;
}

/**
 * Returns UTC milliseconds of the form that most programs write, `2014-10-09T22:38:10.123Z` or without the fraction, from the bytes
 * of a larger text: no string is made. Undefined for any other form, which `tryParseInstantMs` may know.
 */
export function tryParseUtcBytes(bytes: Uint8Array, begin: number, end: number): number | undefined {
  const hasMs = end - begin === 24;
  if (!hasMs && end - begin !== 20) return undefined;
  if (bytes[begin + 4] !== MINUS || bytes[begin + 7] !== MINUS || bytes[begin + 10] !== LETTER_T) return undefined;
  if (bytes[begin + 13] !== COLON || bytes[begin + 16] !== COLON || bytes[end - 1] !== LETTER_Z) return undefined;
  const year = twoBytes(bytes, begin) * 100 + twoBytes(bytes, begin + 2);
  const month = twoBytes(bytes, begin + 5);
  const day = twoBytes(bytes, begin + 8);
  if (!(year >= MIN_YEAR && year <= MAX_YEAR && month >= 1 && month <= 12)) return undefined;
  if (!(day >= 1 && day <= daysInMonth(year, month))) return undefined;
  const hour = twoBytes(bytes, begin + 11);
  const minute = twoBytes(bytes, begin + 14);
  const second = twoBytes(bytes, begin + 17);
  if (!isUpTo(hour, 23) || !isUpTo(minute, 59) || !isUpTo(second, 59)) return undefined;
  const seconds = daysFromCivil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  if (!hasMs) return seconds * 1000;
  // Three digits are the last two of two pairs.
  const ms = twoBytes(bytes, begin + 20) * 10 + (twoBytes(bytes, begin + 21) % 10);
  return bytes[begin + 19] === DOT && ms >= 0 ? seconds * 1000 + ms : undefined;
}

function twoBytes(bytes: Uint8Array, at: number): number {
  const high = (bytes[at] ?? 0) - ZERO;
  const low = (bytes[at + 1] ?? 0) - ZERO;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN;
}

/**
 * Parses an instant like `tryParseInstantMs`.
 * @param argument what the refusal calls the value
 * @throws DomainError invalid_argument
 */
export function parseInstantMs(argument: string, text: string, options: InstantOptions = NO_OPTIONS): number {
  const instantMs = tryParseInstantMs(text, options);
  if (instantMs === undefined) throw invalidTime(argument);
  return instantMs;
}

const invalidTime = (argument: string) =>
  invalid(
    'INVALID_TIME',
    `${argument} must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z, year ${MIN_YEAR}-${MAX_YEAR}`,
  );

/**
 * Returns UTC milliseconds of a time as JTS documents and bodies write it (docs/reference/time.md#input-timestamps): ISO text,
 * `{"$time": "<ISO>"}`, `{"$millis": <int>}` or a bare integer of Unix milliseconds. Undefined for anything else.
 */
export function parseTimeValueMs(value: unknown, options: InstantOptions = NO_OPTIONS): number | undefined {
  if (typeof value === 'string') return tryParseInstantMs(value, options);
  if (typeof value === 'number') return isInstantMs(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('$time' in value) return typeof value.$time === 'string' ? tryParseInstantMs(value.$time, options) : undefined;
  if ('$millis' in value)
    return typeof value.$millis === 'number' && isInstantMs(value.$millis) ? value.$millis : undefined;
  return undefined;
}
