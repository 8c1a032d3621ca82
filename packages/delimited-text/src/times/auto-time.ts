import { MINUTE_MS } from '@catchment/time';
import { type TimeParts, type TimePattern, timePattern } from './time-pattern.ts';

const ISO =
  /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(?:\[?(?:UTC)?(Z|[+-]\d{2}(?::?\d{2})?)\]?)?\s*$/i;

function offsetMsOf(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.length > 3 ? text.slice(-2) : 0);
  return (text[0] === '-' ? -minutes : minutes) * MINUTE_MS;
}

/** Times that begin with year, month and day, as most loggers write them; accepted where no format is given. */
export const ISO_PATTERN: TimePattern = {
  read(text) {
    const found = ISO.exec(text);
    if (found === null) return undefined;
    const [, year, month, day, hour, minute, second, fraction, offset] = found;
    return {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      ...(hour !== undefined && { hour: Number(hour), minute: Number(minute) }),
      ...(second !== undefined && { second: Number(second) }),
      ...(fraction !== undefined && { millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')) }),
      ...(offset !== undefined && { offsetMs: offsetMsOf(offset) }),
    } satisfies TimeParts;
  },
};

const CLOCK = /^(\d{1,2})([:.h])(\d{2})(?:(?:\2|(?<=h\d\d)m)(\d{2})s?(?:[.,](\d{1,9}))?)?\s*(?:([ap])(?:\.?m\.?)?)?$/i;
const PACKED_CLOCK = /^\d{1,6}$/;

/** Reads a time of day in any form: `22:00`, `22:00:30.5`, `10:00 PM`, `22h30`, `2200`, `930`, `220030`, `24:00`. */
export function readClock(text: string): TimeParts | undefined {
  const trimmed = text.trim();
  const packed = PACKED_CLOCK.test(trimmed) ? trimmed.padStart(trimmed.length > 4 ? 6 : 4, '0') : undefined;
  const [, hour = '', , minute = '', second, fraction, half] =
    packed === undefined
      ? (CLOCK.exec(trimmed) ?? [])
      : ['', packed.slice(0, 2), '', packed.slice(2, 4), packed.slice(4) || undefined];
  if (hour === '' || Number(hour) > 24 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  return {
    ...(half === undefined ? { hour: Number(hour) } : { hour12: Number(hour), isPm: /p/i.test(half) }),
    minute: Number(minute),
    ...(second !== undefined && { second: Number(second) }),
    ...(fraction !== undefined && { millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')) }),
  };
}

/** Accepts ISO forms, and a time of day in any form: beside a date it can be nothing else. */
const BESIDE_DATE: TimePattern = { read: (text, match) => ISO_PATTERN.read(text, match) ?? readClock(text) };

/**
 * @param format tokens in docs/reference/time.md#format-tokens; absent or empty = ISO forms
 * @param isPart other fields have the rest of the time
 * @throws DomainError invalid_argument
 */
export const patternOf = (format: string | undefined, isPart = false): TimePattern =>
  format ? timePattern(format) : isPart ? BESIDE_DATE : ISO_PATTERN;
