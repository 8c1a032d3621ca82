import { invalid } from '@catchment/errors';
import { DAY_MS, MINUTE_MS } from './civil.ts';
import { formatIsoMs } from './iso-format.ts';

/**
 * A request or node means such a zone: a real IANA zone, or a fixed offset. Instants are UTC milliseconds; a *local* time
 * is the wall clock written as if it were UTC milliseconds.
 */
export interface EffectiveZone {
  /** Zones have their IANA name in its usual spelling, fixed ones their offset (`+10:00`). */
  readonly name: string;
  /** UTC is printed with `Z`, every other zone with its offset (docs/reference/time.md#output-timestamps-and-zones). */
  readonly isUtc: boolean;
  /** Its offset never changes: no local time is skipped or occurs twice. */
  readonly isFixed: boolean;
  /** The zone comes from the IANA zone of this name; absent for UTC, and for an offset that no zone was named for. */
  readonly region?: string;
  /** Local time minus UTC at this instant. */
  offsetMsAt(instantMs: number): number;
  localMsAt(instantMs: number): number;
  /**
   * A local time that DST skips moves forward by the gap, one that occurs twice is the earlier instant
   * (docs/reference/time.md#relative-time).
   */
  instantMsOf(localMs: number): number;
  /** Writes `2024-05-15T20:47:23.456+10:00`, or `Z` in the place of the offset in UTC. */
  formatIso(instantMs: number): string;
}

const UTC_NAMES = new Set(['utc', 'etc/utc', 'uct', 'etc/uct', 'zulu', 'etc/zulu', 'universal', 'etc/universal']);
const ZONE_CACHE_MAX = 2000;
const SPAN_CACHE_MAX = 64;

/** Writes `+10:00`; seconds of an old local mean time are rounded away. */
export function formatOffset(offsetMs: number, separator = ':'): string {
  const minutes = Math.abs(Math.round(offsetMs / MINUTE_MS));
  const two = (value: number) => value.toString().padStart(2, '0');
  return (offsetMs < 0 && minutes > 0 ? '-' : '+') + two(Math.floor(minutes / 60)) + separator + two(minutes % 60);
}

/** The printed offset decides the printed local time, so that reading the text back gives the same instant. */
function formatWithOffset(instantMs: number, offsetMs: number): string {
  const printedMs = Math.round(offsetMs / MINUTE_MS) * MINUTE_MS;
  return formatIsoMs(instantMs + printedMs).slice(0, -1) + formatOffset(printedMs);
}

/** Makes a zone that is always `offsetMs` ahead of UTC. */
export function fixedZone(offsetMs: number, name: string = formatOffset(offsetMs)): EffectiveZone {
  return {
    name,
    isUtc: false,
    isFixed: true,
    offsetMsAt: () => offsetMs,
    localMsAt: (instantMs) => instantMs + offsetMs,
    instantMsOf: (localMs) => localMs - offsetMs,
    formatIso: (instantMs) => formatWithOffset(instantMs, offsetMs),
  };
}

export const UTC_ZONE: EffectiveZone = { ...fixedZone(0, 'Etc/UTC'), isUtc: true, formatIso: formatIsoMs };

interface OffsetSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

function spanAt(zoneName: string, instantMs: number): OffsetSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(Math.floor(instantMs)).toZonedDateTimeISO(zoneName);
  const next = at.getTimeZoneTransition('next');
  // `previous` is strictly before its instant, so one millisecond later finds the transition of this very moment too.
  const previous = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return {
    fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1e6,
  };
}

/** Remembers the spans between DST changes: neighbouring instants of a series need no Temporal object. */
function ianaZone(name: string): EffectiveZone {
  let spans: OffsetSpan[] = [];
  let last: OffsetSpan = { fromMs: 0, toMs: 0, offsetMs: 0 };

  const offsetMsAt = (instantMs: number): number => {
    if (instantMs >= last.fromMs && instantMs < last.toMs) return last.offsetMs;
    let span = spans.find(({ fromMs, toMs }) => instantMs >= fromMs && instantMs < toMs);
    if (span === undefined) {
      span = spanAt(name, instantMs);
      if (spans.length >= SPAN_CACHE_MAX) spans = [];
      spans.push(span);
    }
    last = span;
    return span.offsetMs;
  };

  const instantMsOf = (localMs: number): number => {
    const before = offsetMsAt(localMs - DAY_MS);
    const guess = localMs - before;
    if (offsetMsAt(guess) === before && offsetMsAt(localMs + DAY_MS) === before) return guess;
    return Temporal.Instant.fromEpochMilliseconds(localMs)
      .toZonedDateTimeISO('UTC')
      .toPlainDateTime()
      .toZonedDateTime(name, { disambiguation: 'compatible' }).epochMilliseconds;
  };

  return {
    name,
    region: name,
    isUtc: false,
    isFixed: false,
    offsetMsAt,
    localMsAt: (instantMs) => instantMs + offsetMsAt(instantMs),
    instantMsOf,
    formatIso: (instantMs) => formatWithOffset(instantMs, offsetMsAt(instantMs)),
  };
}

/** The usual spelling of an IANA zone name given in any letter case, or undefined when there is no such zone. */
export function normaliseZoneName(name: string): string | undefined {
  // Temporal takes offsets and whole timestamps as zones too; only names are allowed here.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

const zones = new Map<string, EffectiveZone>();

/**
 * The effective zone in docs/reference/time.md#output-timestamps-and-zones: with `adjustForDst` the zone and its DST rules,
 * without it the zone's standard offset (the smaller of those at 1 January and 1 July of the year of `nowMs`) at all instants.
 * @param name IANA name in any letter case
 * @param argument what a refusal calls the name
 * @throws DomainError invalid_argument when no zone has this name
 */
export function effectiveZone(
  name: string,
  adjustForDst: boolean,
  nowMs: number,
  argument = 'timezone',
): EffectiveZone {
  const proper = normaliseZoneName(name);
  if (proper === undefined) throw invalid('UNKNOWN_TIMEZONE', `${argument} must be the name of an IANA time zone`);
  if (UTC_NAMES.has(proper.toLowerCase())) return UTC_ZONE;
  const year = new Date(nowMs).getUTCFullYear();
  const key = adjustForDst ? proper : `${proper} ${year}`;
  const known = zones.get(key);
  if (known !== undefined) return known;
  const made = adjustForDst ? ianaZone(proper) : { ...fixedZone(standardOffsetMs(proper, year)), region: proper };
  if (zones.size >= ZONE_CACHE_MAX) zones.clear();
  zones.set(key, made);
  return made;
}

/** See docs/reference/time.md#output-timestamps-and-zones, point 4. Taken at local midnight of both days. */
function standardOffsetMs(zoneName: string, year: number): number {
  const offsetAt = (month: number) =>
    Temporal.PlainDate.from({ year, month, day: 1 }).toZonedDateTime(zoneName).offsetNanoseconds / 1e6;
  return Math.min(offsetAt(1), offsetAt(7));
}
