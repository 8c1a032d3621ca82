import { LOCALE } from './locale.ts';

/** A view has clock times in its zone, or at the zone's standard offset where daylight saving time is left out. */
export type Zone = {
  readonly name: string;
  /** Returns the milliseconds to add to UTC for the clock's reading at this instant. */
  readonly offsetMs: (ms: number) => number;
  readonly format: (ms: number, options: Intl.DateTimeFormatOptions) => string;
  /** Returns Unix milliseconds of the clock time that is written as if in UTC; the later one where the clock shows it twice. */
  readonly instant: (clockMs: number) => number;
};

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(options: Intl.DateTimeFormatOptions, locale = LOCALE): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, options);
    formats.set(key, format);
  }
  return format;
}

/**
 * @param year decides which offset is standard, see docs/reference/time.md#output-timestamps-and-zones
 * @param locale of the words in its texts
 */
export function zoneOf(timezone: string, adjustForDst: boolean, year: number, locale = LOCALE): Zone {
  const known = isKnown(timezone) ? timezone : 'UTC';
  const offsetOf = (ms: number) => offsetAt(known, ms);
  const fixed = adjustForDst ? undefined : Math.min(offsetOf(Date.UTC(year, 0, 1)), offsetOf(Date.UTC(year, 6, 1)));
  const offsetMs = fixed === undefined ? cachedByQuarter(offsetOf) : () => fixed;
  return {
    name: known,
    offsetMs,
    // The time is formatted as UTC after the shift: browsers know no zone without its daylight saving time.
    format: (ms, options) => formatOf({ ...options, timeZone: 'UTC' }, locale).format(ms + offsetMs(ms)),
    instant: (clockMs) => {
      const guess = clockMs - offsetMs(clockMs);
      return clockMs - offsetMs(guess);
    },
  };
}

/** Returns whether this browser knows a zone. */
export function isKnown(timezone: string): boolean {
  try {
    formatOf({ timeZone: timezone });
    return true;
  } catch {
    return false; // a zone that this browser has not heard of yet
  }
}

function offsetAt(timeZone: string, ms: number): number {
  const second = Math.floor(ms / 1_000) * 1_000;
  const parts: Record<string, number> = {};
  const format = formatOf({
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'narrow',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  for (const { type, value } of format.formatToParts(second)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
}

/** Offsets change on quarters of hours at most; a chart asks for thousands of instants near each other. */
function cachedByQuarter(offsetOf: (ms: number) => number): (ms: number) => number {
  const known = new Map<number, number>();
  return (ms) => {
    const quarter = Math.floor(ms / 900_000);
    let offset = known.get(quarter);
    if (offset === undefined) {
      if (known.size > 5_000) known.clear();
      offset = offsetOf(quarter * 900_000);
      known.set(quarter, offset);
    }
    return offset;
  };
}
