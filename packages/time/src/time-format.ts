import { civilFromDays, DAY_MS, daysFromCivil, isoWeekday } from './civil.ts';
import { type EffectiveZone, formatOffset, UTC_ZONE } from './zone.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Everything that a token can print of one instant. */
interface Moment {
  readonly instantMs: number;
  readonly offsetMs: number;
  readonly year: number;
  /** 1-12. */
  readonly month: number;
  readonly day: number;
  /** The wall clock shows this many days since 1970-01-01. */
  readonly days: number;
  /** Milliseconds since local midnight. */
  readonly ofDayMs: number;
}

function momentOf(instantMs: number, zone: EffectiveZone): Moment {
  const offsetMs = zone.offsetMsAt(instantMs);
  const localMs = instantMs + offsetMs;
  const days = Math.floor(localMs / DAY_MS);
  return { instantMs, offsetMs, ...civilFromDays(days), days, ofDayMs: Math.floor(localMs - days * DAY_MS) };
}

const pad = (value: number, length: number): string => value.toString().padStart(length, '0');

function ordinal(value: number): string {
  const teens = value % 100 >= 11 && value % 100 <= 13;
  return value + (teens ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'));
}

const dayOfYear = ({ days, year }: Moment): number => days - daysFromCivil(year, 1, 1) + 1;
/** Sunday 0. */
const weekday = ({ days }: Moment): number => isoWeekday(days) % 7;
const hours = ({ ofDayMs }: Moment): number => Math.floor(ofDayMs / 3_600_000);
const hours12 = (moment: Moment): number => hours(moment) % 12 || 12;
const minutes = ({ ofDayMs }: Moment): number => Math.floor(ofDayMs / 60_000) % 60;
const seconds = ({ ofDayMs }: Moment): number => Math.floor(ofDayMs / 1000) % 60;

/** Computes the ISO week and its year, which are those of the Thursday of the week. */
function isoWeek({ days }: Moment): { week: number; year: number } {
  const thursday = days - isoWeekday(days) + 4;
  const { year } = civilFromDays(thursday);
  return { week: Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1, year };
}
const week = (moment: Moment): number => isoWeek(moment).week;
const weekYear = (moment: Moment): number => isoWeek(moment).year;

type Print = (moment: Moment) => string;

const TOKENS: Readonly<Record<string, Print>> = {
  M: ({ month }) => `${month}`,
  MM: ({ month }) => pad(month, 2),
  MMM: ({ month }) => MONTHS[month - 1]!.slice(0, 3),
  MMMM: ({ month }) => MONTHS[month - 1]!,
  Mo: ({ month }) => ordinal(month),
  D: ({ day }) => `${day}`,
  DD: ({ day }) => pad(day, 2),
  Do: ({ day }) => ordinal(day),
  DDD: (moment) => `${dayOfYear(moment)}`,
  DDDD: (moment) => pad(dayOfYear(moment), 3),
  DDDo: (moment) => ordinal(dayOfYear(moment)),
  d: (moment) => `${weekday(moment)}`,
  do: (moment) => ordinal(weekday(moment)),
  dd: (moment) => WEEKDAYS[weekday(moment)]!.slice(0, 2),
  ddd: (moment) => WEEKDAYS[weekday(moment)]!.slice(0, 3),
  dddd: (moment) => WEEKDAYS[weekday(moment)]!,
  e: (moment) => `${weekday(moment)}`,
  E: ({ days }) => `${isoWeekday(days)}`,
  w: (moment) => `${week(moment)}`,
  ww: (moment) => pad(week(moment), 2),
  wo: (moment) => ordinal(week(moment)),
  W: (moment) => `${week(moment)}`,
  WW: (moment) => pad(week(moment), 2),
  Wo: (moment) => ordinal(week(moment)),
  YY: ({ year }) => pad(year % 100, 2),
  YYYY: ({ year }) => pad(year, 4),
  gg: (moment) => pad(weekYear(moment) % 100, 2),
  gggg: (moment) => pad(weekYear(moment), 4),
  GG: (moment) => pad(weekYear(moment) % 100, 2),
  GGGG: (moment) => pad(weekYear(moment), 4),
  A: (moment) => (hours(moment) < 12 ? 'AM' : 'PM'),
  a: (moment) => (hours(moment) < 12 ? 'am' : 'pm'),
  H: (moment) => `${hours(moment)}`,
  HH: (moment) => pad(hours(moment), 2),
  h: (moment) => `${hours12(moment)}`,
  hh: (moment) => pad(hours12(moment), 2),
  m: (moment) => `${minutes(moment)}`,
  mm: (moment) => pad(minutes(moment), 2),
  s: (moment) => `${seconds(moment)}`,
  ss: (moment) => pad(seconds(moment), 2),
  Z: ({ offsetMs }) => formatOffset(offsetMs),
  ZZ: ({ offsetMs }) => formatOffset(offsetMs, ''),
};

/** Tokens that count from 1970; only as the whole format. */
const WHOLE: Readonly<Record<string, Print>> = {
  X: ({ instantMs }) => `${Math.floor(instantMs / 1000)}`,
  x: ({ instantMs }) => `${instantMs}`,
};

const LONGEST_TOKEN = 4;
const FRACTION = /S{1,9}/y;

function compile(format: string): Print[] {
  if (Object.hasOwn(WHOLE, format)) return [WHOLE[format]!];
  const prints: Print[] = [];
  const literal = (text: string) => prints.push(() => text);
  for (let at = 0; at < format.length; ) {
    const close = format[at] === '[' ? format.indexOf(']', at) : -1;
    FRACTION.lastIndex = at;
    const digits = FRACTION.exec(format)?.[0].length ?? 0;
    if (close > 0) {
      literal(format.slice(at + 1, close));
      at = close + 1;
    } else if (digits > 0) {
      prints.push(({ ofDayMs }) =>
        pad(ofDayMs % 1000, 3)
          .padEnd(9, '0')
          .slice(0, digits),
      );
      at += digits;
    } else {
      const token = longestToken(format, at);
      if (token === undefined) literal(format[at]!);
      else prints.push(TOKENS[token]!);
      at += token?.length ?? 1;
    }
  }
  return prints;
}

function longestToken(format: string, at: number): string | undefined {
  for (let length = LONGEST_TOKEN; length > 0; length--) {
    const token = format.slice(at, at + length);
    if (token.length === length && Object.hasOwn(TOKENS, token)) return token;
  }
  return undefined;
}

const CACHE_MAX = 200;
const formatters = new Map<string, Print[]>();

/**
 * Returns a function that prints instants (UTC milliseconds) by the tokens in docs/reference/time.md#format-tokens on the wall clock
 * of `zone`. Every text is a valid format: characters that are no token stand for themselves.
 */
export function timeFormatter(format: string, zone: EffectiveZone = UTC_ZONE): (instantMs: number) => string {
  let prints = formatters.get(format);
  if (prints === undefined) {
    prints = compile(format);
    if (formatters.size >= CACHE_MAX) formatters.delete(formatters.keys().next().value!);
    formatters.set(format, prints);
  }
  const compiled = prints;
  return (instantMs) => {
    const moment = momentOf(instantMs, zone);
    let text = '';
    for (const print of compiled) text += print(moment);
    return text;
  };
}

/** One instant by `timeFormatter`. */
export const formatTime = (instantMs: number, format: string, zone: EffectiveZone = UTC_ZONE): string =>
  timeFormatter(format, zone)(instantMs);
